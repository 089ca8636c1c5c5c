import { useCallback } from "react";
import { Link } from "wouter";
import type { Activity } from "#api/modules/activity/contract.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { SheetPart } from "../sheet-part.tsx";
import { ActivityFacts } from "./activity-facts.tsx";
import type { ActivityFilters } from "./activity-view.ts";
import { ChangeTable } from "./change-table.tsx";
import { LoadAlert } from "./load-alert.tsx";
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
