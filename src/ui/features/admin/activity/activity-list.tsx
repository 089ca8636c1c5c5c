import { Activity as ActivityIcon } from "lucide-react";
import type { RefObject } from "react";
import type { Activity } from "#api/modules/activity/contract.ts";
import {
  type ActivitySeverity,
  type ActivityStatus,
  activityPageSizes,
  formatDuration,
} from "#contract/activity.ts";
import { activityFields } from "#contract/field-marks.ts";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { type Column, DataTable, RowButton } from "#ui/components/ui/table.tsx";
import { ApiError, failureText, isUnreachable } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { AccessError, reasonPhrase } from "../access-error.tsx";
import { formatCount } from "../format.ts";
import { EmptyList } from "../list-parts.tsx";
import { ListPager, ListSkeleton } from "../paged-list.tsx";
import { type ActivityFeed, type LeftPage, settled } from "./activity-feed.ts";
import { type ActivityView, countFilters } from "./activity-view.ts";
import { detailTexts, activityPageTexts as texts } from "./texts.ts";

type ActivityListProps = {
  view: ActivityView;
  feed: ActivityFeed;
  left: LeftPage | null;
  /** How many activities the whole log has; `null` while no one knows. */
  logTotal: number | null;
  tableRef: RefObject<HTMLTableElement | null>;
  onOpen: (id: number) => void;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
  onShowAll: () => void;
  onRetry: () => void;
};

/** The page of activities with what waits above it and the ways to the others below. */
export const ActivityList = ({ view, feed, left, logTotal, tableRef, onPage, ...on }: ActivityListProps) => {
  const { page, error, isLoading, newer } = feed;
  if (page === null)
    return error === null ? (
      <ListSkeleton label={texts.loading} widths={["w-1/6", "w-2/5", "w-1/12"]} rowLook="h-14 md:h-14" />
    ) : (
      <LoadAlert error={error} hasData={false} onRetry={on.onRetry} />
    );
  const { activities } = page;
  const pagination = settled(page, view, left);
  const { searchedNewest } = pagination;
  const catchUp = () => {
    // Before the button goes, and the focus with it.
    tableRef.current?.parentElement?.focus();
    feed.catchUp();
  };
  const isEmpty = activities.length === 0;
  return (
    <div className="flex flex-col gap-3">
      {error !== null && <LoadAlert error={error} hasData onRetry={on.onRetry} />}
      {searchedNewest !== null && logTotal !== null && logTotal > searchedNewest && (
        <p role="status" className="text-muted-foreground text-[0.8125rem]">
          {texts.shortSearch(formatCount(searchedNewest))}
        </p>
      )}
      {/* Without a height of its own: it moves no row, and stays in sight however far the reader is. */}
      <div role="status" className="sticky top-16 z-20 -mb-3 grid h-0 justify-items-center">
        {newer > 0 && (
          <Button size="sm" className="mt-1 rounded-full shadow-lg md:h-7" onClick={catchUp}>
            {texts.newer(formatCount(newer), newer === 1)}
          </Button>
        )}
      </div>
      <Card
        aria-busy={isLoading}
        className={cn(
          "overflow-clip",
          (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
        )}
      >
        {isEmpty ? (
          <NoActivities
            isBeyond={view.page > 1 && pagination.total > 0}
            isNarrowed={countFilters(view) > 0}
            onFirst={() => onPage(1)}
            onShowAll={on.onShowAll}
          />
        ) : (
          <ActivityTable activities={activities} tableRef={tableRef} onOpen={on.onOpen} />
        )}
        {pagination.total > 0 && (
          <ListPager {...pagination} rows={activities.length} page={view.page} onPage={onPage}>
            <PageSize size={view.size} onSize={on.onSize} />
          </ListPager>
        )}
      </Card>
    </div>
  );
};

const PageSize = ({ size, onSize }: { size: number; onSize: (size: number) => void }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is within Select
  <label className="flex items-center gap-2 whitespace-nowrap text-[0.8125rem] text-muted-foreground">
    {texts.pageSize}
    <Select value={size} onChange={(event) => onSize(Number(event.target.value))} className="w-19 md:h-8">
      {activityPageSizes.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </Select>
  </label>
);

type ActivityTableProps = {
  activities: Activity[];
  tableRef: RefObject<HTMLTableElement | null>;
  onOpen: (id: number) => void;
};

/** The activities of one page, a row each; a press anywhere in a row opens it. */
const ActivityTable = ({ activities, tableRef, onOpen }: ActivityTableProps) => (
  <DataTable
    isWhole
    ref={tableRef}
    label={texts.table}
    className="text-[0.8125rem]"
    // Below the bar at the top of the window.
    headLook="md:top-14"
    columns={columnsFor(onOpen)}
    rows={activities}
    keyOf={({ id }) => id}
    rowLook="relative transition-opacity duration-200 starting:opacity-0 hover:bg-muted/60"
  />
);

// Enough for the widest window; the rest is read in the sheet.
const shownLength = 160;

const muted = "text-muted-foreground";

// What a narrow window has no room for goes, the least telling first; type, time and user move below the action.
const columnsFor = (onOpen: (id: number) => void): readonly Column<Activity>[] => [
  {
    name: activityFields.timestamp.label,
    look: "max-md:hidden",
    cellLook: muted,
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} title={fullTime(timestamp)}>
        <span className="block text-foreground">{rowTime(timestamp)}</span>
        <span className="block text-xs">{rowDay(timestamp)}</span>
      </time>
    ),
  },
  {
    name: activityFields.pluginName.label,
    look: "max-xl:hidden",
    cellLook: "max-w-24 truncate",
    titleOf: ({ pluginName }) => pluginName,
    cell: ({ pluginName }) => pluginName,
  },
  {
    name: activityFields.type.label,
    look: "max-lg:hidden",
    cellLook: "min-w-29 whitespace-normal",
    cell: ({ type }) => inWords(type),
  },
  {
    name: activityFields.action.label,
    isHeading: true,
    look: "max-md:pl-4",
    cellLook: "py-1.5",
    cell: (activity) => <Action activity={activity} onOpen={onOpen} />,
  },
  { name: activityFields.status.label, cell: ({ status }) => <StatusMark status={status} /> },
  {
    name: activityFields.severity.label,
    look: "max-sm:hidden",
    cell: ({ severity }) => <SeverityMark severity={severity} />,
  },
  {
    name: texts.user,
    look: "max-xl:hidden",
    cellLook: cn("max-w-46 truncate", muted),
    titleOf: ({ userEmail }) => userEmail ?? undefined,
    cell: actorOf,
  },
  {
    name: activityFields.duration.label,
    look: "pl-1 text-right max-xl:hidden",
    cellLook: muted,
    cell: ({ duration }) => formatDuration(duration),
  },
];

const actorOf = ({ userEmail, actorKind }: Activity): string => userEmail ?? inWords(actorKind);

type ActionProps = { activity: Activity; onOpen: (id: number) => void };

/** What happened, and on narrow windows below it what the other columns would say. */
const Action = ({ activity, onOpen }: ActionProps) => {
  const { id, timestamp, type, action, description, occurrences } = activity;
  const times = detailTexts.times(formatCount(occurrences));
  return (
    <>
      <span className="flex items-baseline gap-1.5">
        <RowButton
          onClick={() => onOpen(id)}
          title={action.slice(0, shownLength)}
          aria-haspopup="dialog"
          className="wrap-anywhere min-w-0 text-sm max-md:line-clamp-2 md:truncate"
        >
          {action.slice(0, shownLength)}
        </RowButton>
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
        {actorOf(activity)}
        <span className="md:hidden">
          {" "}
          · {rowDay(timestamp)}, {rowTime(timestamp)}
        </span>
      </span>
    </>
  );
};

type NoActivitiesProps = {
  isBeyond: boolean;
  isNarrowed: boolean;
  onFirst: () => void;
  onShowAll: () => void;
};

/** Shown in place of the table when it would be empty: nothing yet, nothing that matches, or a page past the last. */
const NoActivities = ({ isBeyond, isNarrowed, onFirst, onShowAll }: NoActivitiesProps) => (
  <EmptyList Icon={ActivityIcon} title={texts.none} text={reason(isBeyond, isNarrowed)}>
    <div className="mt-3 flex flex-wrap justify-center gap-2 empty:hidden">
      {isBeyond && (
        <Button variant="outline" size="sm" onClick={onFirst}>
          {texts.toFirst}
        </Button>
      )}
      {isNarrowed && (
        <Button variant="outline" size="sm" onClick={onShowAll}>
          {texts.showAll}
        </Button>
      )}
    </div>
  </EmptyList>
);

const reason = (isBeyond: boolean, isNarrowed: boolean) => {
  if (isBeyond) return texts.beyondText;
  return isNarrowed ? texts.noMatchText : texts.noneText;
};

type LoadAlertProps = {
  error: unknown;
  /** Whether what came before is on show still. */
  hasData: boolean;
  onRetry: () => void;
};

/** Stands where activities did not come: why, and another try. */
export const LoadAlert = ({ error, hasData, onRetry }: LoadAlertProps) => {
  if (hasData && isUnreachable(error)) return <AccessError error={error} hasData onRetry={onRetry} />;
  return <RetryAlert onRetry={onRetry}>{activityFailure(error)}</RetryAlert>;
};

/** The sentence for activities that did not come: the server's own, else status and reason, else that no one answered. */
export const activityFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return String(error);
  const { status, message } = error;
  return failureText(error, `HTTP ${status}: ${reasonPhrase(status) ?? "Error"}`, message);
};

/** How an activity went: a colored dot and the word. */
export const StatusMark = ({ status }: { status: ActivityStatus }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden="true" className={cn("size-2 shrink-0 rounded-full", dots[status])} />
    {inWords(status)}
  </span>
);

const dots = {
  success: "bg-success",
  failure: "bg-destructive",
  warning: "bg-warning",
  info: "bg-info",
} as const;

/** How much an activity matters; the quieter, the less. */
export const SeverityMark = ({ severity }: { severity: ActivitySeverity }) => (
  <span className={markLooks[severity]}>{inWords(severity)}</span>
);

const markLooks = {
  low: "text-muted-foreground",
  medium: "",
  high: "font-medium text-warning",
  critical: "rounded-full bg-destructive px-2 py-0.5 font-medium text-destructive-foreground text-xs",
} as const;

/** Names as the API has them, in words: `plugin_hot_reloaded` reads "Plugin hot reloaded"; several stand apart by commas. */
export const inWords = (names: string): string =>
  names
    .split(",")
    .map((name) => {
      const words = name.replaceAll("_", " ").replace(/^api\b/, "API");
      return words.slice(0, 1).toUpperCase() + words.slice(1);
    })
    .join(", ");

/** The day in the reader's language and zone, without its year. */
const rowDay = (iso: string): string => dayFormat.format(new Date(iso));

/** The time of day to the second. */
const rowTime = (iso: string): string => timeFormat.format(new Date(iso));

/** Day and time to the second, in full. */
export const fullTime = (iso: string): string => fullFormat.format(new Date(iso));

// Made once: making one takes longer than formatting a whole page of rows with it.
const dayFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
