import { Fragment, useCallback } from "react";
import { Link } from "wouter";
import type { Activity } from "#api/modules/activity/contract.ts";
import { formatDuration } from "#contract/activity.ts";
import { asText, changeRows } from "#contract/define-settings.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Copyable, Fact, SheetPart } from "../facts.tsx";
import { formatCount } from "../format.ts";
import { LoadAlert } from "./activity-list.tsx";
import { fullTime, inWords, SeverityMark, StatusMark } from "./activity-marks.tsx";
import type { ActivityFilters } from "./activity-view.ts";
import { activityPageTexts, detailTexts as texts } from "./texts.ts";

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
            <SheetPart title={texts.changes}>
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

const { columns } = activityPageTexts;

/** Everything that was recorded of an activity but its change. */
const ActivityFacts = ({ activity }: { activity: Activity }) => {
  const copyable = [
    { name: texts.email, text: activity.userEmail },
    { name: texts.userId, text: activity.userId },
    { name: texts.ip, text: activity.ip },
    { name: texts.browser, text: activity.userAgent },
    { name: texts.requestId, text: activity.requestId },
    { name: texts.id, text: String(activity.id) },
  ];
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
      <Fact name={texts.time}>
        <time dateTime={activity.timestamp}>{fullTime(activity.timestamp)}</time>
      </Fact>
      <Fact name={columns.plugin}>{activity.pluginName}</Fact>
      <Fact name={columns.type}>{inWords(activity.type)}</Fact>
      <Fact name={columns.status}>
        <StatusMark status={activity.status} />
      </Fact>
      <Fact name={columns.severity}>
        <SeverityMark severity={activity.severity} />
      </Fact>
      <Fact name={columns.duration}>{formatDuration(activity.duration)}</Fact>
      {activity.occurrences > 1 && (
        <Fact name={texts.occurrences}>{texts.times(formatCount(activity.occurrences))}</Fact>
      )}
      <Fact name={texts.who}>{inWords(activity.actorKind)}</Fact>
      {copyable.map(
        ({ name, text }) =>
          text !== null && (
            <Fact key={name} name={name}>
              <Copyable name={name} text={text} isCode={name !== texts.email && name !== texts.browser} />
            </Fact>
          ),
      )}
    </dl>
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
