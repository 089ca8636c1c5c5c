import { Fragment, useCallback } from "react";
import { Link } from "wouter";
import type { Activity } from "#api/modules/activity/contract.ts";
import { formatDuration } from "#contract/activity.ts";
import { asText, changeRows } from "#contract/change-rows.ts";
import { activityFields } from "#contract/field-marks.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Copyable, Facts, SheetPart } from "../facts.tsx";
import { formatCount } from "../format.ts";
import { fullTime, inWords, LoadAlert, SeverityMark, StatusMark } from "./activity-list.tsx";
import type { ActivityFilters } from "./activity-view.ts";
import { detailTexts as texts } from "./texts.ts";

type ActivitySheetProps = {
  id: number;
  /** The activity, where the list has it: activities never change. */
  known: Activity | undefined;
  /** The address of the list with these filters alone. */
  linkTo: (filters: Partial<ActivityFilters>) => string;
  onClose: () => void;
};

/** One activity with everything that was recorded of it, and the ways to what belongs to it. */
export const ActivitySheet = ({ id, known, linkTo, onClose }: ActivitySheetProps) => {
  const load = useCallback(async () => {
    return known ?? (await client.activity.get({ id: String(id) })).data;
  }, [id, known]);
  const { data, error, reload } = useLoad(load);
  const activity = data ?? known;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={activity?.action ?? texts.title}
      description={activity?.description || undefined}
      actions={activity !== undefined && <Ways activity={activity} linkTo={linkTo} />}
    >
      {activity === undefined && error === null && <Skeleton className="h-64 w-full" />}
      {activity === undefined && error !== null && (
        <LoadAlert error={error} hasData={false} onRetry={reload} />
      )}
      {activity !== undefined && (
        <div className="grid gap-7">
          <ActivityFacts activity={activity} />
          {activity.changes !== null && (
            <SheetPart title={activityFields.changes.label}>
              <ChangeTable {...activity.changes} />
            </SheetPart>
          )}
        </div>
      )}
    </Sheet>
  );
};

const Ways = ({ activity, linkTo }: { activity: Activity } & Pick<ActivitySheetProps, "linkTo">) => {
  const { pluginName, userEmail, ip } = activity;
  const ways = [
    { name: texts.sameUser, filters: userEmail !== null && { search: userEmail } },
    { name: texts.samePlugin, filters: { pluginName } },
    { name: texts.sameAddress, filters: ip !== null && { search: ip } },
  ];
  return (
    <>
      <p className="w-full text-muted-foreground text-xs">{texts.more}</p>
      {ways.map(
        ({ name, filters }) =>
          filters !== false && (
            <Link
              key={name}
              href={linkTo(filters)}
              className={buttonVariants({ variant: "outline", size: "sm" })}
            >
              {name}
            </Link>
          ),
      )}
    </>
  );
};

/** What was recorded of an activity; its action and description are the sheet's title, its changes have their own part. */
const ActivityFacts = ({ activity }: { activity: Activity }) => {
  const copyable = (name: "id" | "userEmail" | "userId" | "ip" | "userAgent" | "requestId") => {
    const value = activity[name];
    if (value === null) return null;
    const isCode = name !== "userEmail" && name !== "userAgent";
    return <Copyable name={activityFields[name].label} text={String(value)} isCode={isCode} />;
  };
  return (
    <Facts
      fields={activityFields}
      contents={{
        timestamp: <time dateTime={activity.timestamp}>{fullTime(activity.timestamp)}</time>,
        pluginName: activity.pluginName,
        type: inWords(activity.type),
        action: null,
        description: null,
        status: <StatusMark status={activity.status} />,
        severity: <SeverityMark severity={activity.severity} />,
        duration: formatDuration(activity.duration),
        occurrences: activity.occurrences > 1 ? texts.times(formatCount(activity.occurrences)) : null,
        actorKind: inWords(activity.actorKind),
        userEmail: copyable("userEmail"),
        userId: copyable("userId"),
        ip: copyable("ip"),
        userAgent: copyable("userAgent"),
        requestId: copyable("requestId"),
        id: copyable("id"),
        changes: null,
      }}
    />
  );
};

/** A change field by field: before and after. */
const ChangeTable = ({ before, after }: { before: unknown; after: unknown }) => {
  const rows = changeRows(before, after);
  if (rows.length === 0) return <p className="text-muted-foreground text-sm">{texts.noChanges}</p>;
  return (
    <div className="overflow-hidden rounded-md border border-border">
      <table className="w-full table-fixed text-[0.8125rem]">
        <thead className="bg-muted text-muted-foreground text-xs">
          <tr>
            {[texts.field, texts.before, texts.after].map((name) => (
              <th
                key={name}
                scope="col"
                className="px-3 py-2 text-left font-medium first:w-1/3 sm:first:w-3/10"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row) => (
            <tr key={row.field} className="align-top">
              <th scope="row" className="wrap-anywhere px-3 py-2 text-left font-medium">
                {row.field === "" ? texts.value : <FieldName field={row.field} />}
              </th>
              <Side value={row.before} />
              <Side value={row.after} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The name of a nested field, broken behind a dot where it is too long for its line. */
const FieldName = ({ field }: { field: string }) => {
  const parts = field.split(".");
  return parts.map((part, depth) => (
    <Fragment key={parts.slice(0, depth + 1).join(".")}>
      {depth > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
};

const Side = ({ value }: { value: unknown }) => (
  <td className="wrap-anywhere whitespace-pre-wrap px-3 py-2">
    {asText(value) || <span className="text-muted-foreground">{texts.absent}</span>}
  </td>
);
