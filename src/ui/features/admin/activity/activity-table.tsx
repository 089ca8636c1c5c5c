import type { RefObject } from "react";
import type { Activity } from "#api/modules/activity/contract.ts";
import { formatDuration } from "#contract/activity.ts";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { formatCount } from "../format.ts";
import { SeverityMark, StatusMark } from "./activity-marks.tsx";
import { fullTime, rowDay, rowTime } from "./activity-time.ts";
import { inWords } from "./activity-words.ts";
import { detailTexts, activityPageTexts as texts } from "./texts.ts";

type ActivityTableProps = {
  activities: Activity[];
  tableRef: RefObject<HTMLTableElement | null>;
  onOpen: (id: number) => void;
};

/** The activities of one page, a row each; a press anywhere in a row opens it. */
export const ActivityTable = ({ activities, tableRef, onOpen }: ActivityTableProps) => (
  <Table isWhole ref={tableRef} label={texts.table} className="text-[0.8125rem]">
    {/* Below the bar at the top of the window. */}
    <TableHeader className="md:top-14" columns={columns} />
    <TableBody>
      {activities.map((activity) => (
        <ActivityRow key={activity.id} activity={activity} onOpen={onOpen} />
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes, the least telling first; type, time and user move below the action.
const looks = {
  time: "max-md:hidden",
  plugin: "max-xl:hidden",
  type: "max-lg:hidden",
  severity: "max-sm:hidden",
  user: "max-xl:hidden",
  duration: "pl-1 max-xl:hidden",
};
const columns = [
  { name: texts.columns.time, look: looks.time },
  { name: texts.columns.plugin, look: looks.plugin },
  { name: texts.columns.type, look: looks.type },
  { name: texts.columns.action, look: "max-md:pl-4" },
  { name: texts.columns.status },
  { name: texts.columns.severity, look: looks.severity },
  { name: texts.columns.user, look: looks.user },
  { name: texts.columns.duration, look: cn("text-right", looks.duration) },
];

// Enough for the widest window; the rest is read in the sheet.
const shownLength = 160;

type ActivityRowProps = { activity: Activity; onOpen: (id: number) => void };

const ActivityRow = ({ activity, onOpen }: ActivityRowProps) => {
  const { id, timestamp, pluginName, type, action, description, userEmail, occurrences } = activity;
  const muted = "text-muted-foreground";
  const who = userEmail ?? inWords(activity.actorKind);
  const times = detailTexts.times(formatCount(occurrences));
  return (
    <TableRow className="relative transition-opacity duration-200 starting:opacity-0 hover:bg-muted/60">
      <TableCell className={cn(looks.time, muted)}>
        <time dateTime={timestamp} title={fullTime(timestamp)}>
          <span className="block text-foreground">{rowTime(timestamp)}</span>
          <span className="block text-xs">{rowDay(timestamp)}</span>
        </time>
      </TableCell>
      <TableCell className={cn("max-w-24 truncate", looks.plugin)} title={pluginName}>
        {pluginName}
      </TableCell>
      <TableCell className={cn("min-w-29 whitespace-normal", looks.type)}>{inWords(type)}</TableCell>
      {/* Without a width of its own it takes what the others leave, and cuts what is too long for it. */}
      <th scope="row" className="w-full max-w-0 px-3 py-1.5 text-left font-medium max-md:pl-4">
        <span className="flex items-baseline gap-1.5">
          <button
            type="button"
            onClick={() => onOpen(id)}
            title={action.slice(0, shownLength)}
            aria-haspopup="dialog"
            className="wrap-anywhere min-w-0 cursor-pointer text-left text-sm max-md:line-clamp-2 md:truncate outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
          >
            {action.slice(0, shownLength)}
          </button>
          {occurrences > 1 && (
            <span title={times} className={cn("relative font-normal text-xs", muted)}>
              <span aria-hidden="true">×{formatCount(occurrences)}</span>
              <span className="sr-only">{times}</span>
            </span>
          )}
        </span>
        {description !== "" && (
          <span className={cn("wrap-anywhere font-normal max-md:line-clamp-2 md:block md:truncate", muted)}>
            {description.slice(0, shownLength)}
          </span>
        )}
        <span className={cn("wrap-anywhere block font-normal text-xs xl:hidden", muted)}>
          <span className="lg:hidden">{inWords(type)} · </span>
          {who}
          <span className="md:hidden">
            {" "}
            · {rowDay(timestamp)}, {rowTime(timestamp)}
          </span>
        </span>
      </th>
      <TableCell>
        <StatusMark status={activity.status} />
      </TableCell>
      <TableCell className={looks.severity}>
        <SeverityMark severity={activity.severity} />
      </TableCell>
      <TableCell className={cn("max-w-46 truncate", looks.user, muted)} title={userEmail ?? undefined}>
        {who}
      </TableCell>
      <TableCell className={cn("text-right", looks.duration, muted)}>
        {formatDuration(activity.duration)}
      </TableCell>
    </TableRow>
  );
};

/** The table's shape while its rows are on their way. */
export const ActivityTableSkeleton = () => (
  <Card aria-busy="true" aria-label={texts.loading} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className="flex h-14 items-center gap-6 px-4">
        <Skeleton className="h-4 w-1/6" />
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-4 w-1/12" />
      </div>
    ))}
  </Card>
);
