import type { RefObject } from "react";
import { activityPageSizes } from "#contract/activity.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { cn } from "#ui/lib/cn.ts";
import { formatCount } from "../format.ts";
import { ListPager } from "../list-pager.tsx";
import { ActivityTable, ActivityTableSkeleton } from "./activity-table.tsx";
import { type ActivityView, countFilters } from "./activity-view.ts";
import { type LeftPage, settled } from "./left-page.ts";
import { LoadAlert } from "./load-alert.tsx";
import { NoActivities } from "./no-activities.tsx";
import { activityPageTexts as texts } from "./texts.ts";
import type { ActivityFeed } from "./use-activity-feed.ts";

type ActivityListProps = {
  view: ActivityView;
  feed: ActivityFeed;
  left: LeftPage | null;
  /** How many activities the whole log has; `null` while nobody knows. */
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
      <ActivityTableSkeleton />
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
