import type { Activity, ActivityList } from "#api/modules/activity/contract.ts";

/** One page of the log, newest first. */
export type ActivityPage = Pick<ActivityList, "activities" | "pagination">;

/**
 * What the table shows and what it could show by now: `next` is the same page with activities that arrived since,
 * `null` while there are none. `query` says what both answer.
 */
export type Feed = { query: string; shown: ActivityPage; next: ActivityPage | null };

/**
 * The feed after a page was loaded. A reader who is in the middle of something (`isHeld`) keeps their rows, as long as it
 * is the same list that has merely grown.
 */
export const loaded = (
  feed: Feed | null,
  { query, page, isHeld }: { query: string; page: ActivityPage; isHeld: boolean },
): Feed =>
  isHeld && feed?.query === query && countNewer(feed.shown, page) > 0
    ? { ...feed, next: page }
    : { query, shown: page, next: null };

/** The feed after activities came in by themselves, oldest first; those of another list are not for it. */
export const arrived = (
  feed: Feed | null,
  { query, activities, isHeld }: { query: string; activities: readonly Activity[]; isHeld: boolean },
): Feed | null => {
  if (feed === null || feed.query !== query) return feed;
  const base = feed.next ?? feed.shown;
  const grown = activities.reduce(withNewest, base);
  if (isHeld) return grown === feed.shown ? feed : { ...feed, next: grown };
  return grown === feed.shown ? feed : { query, shown: grown, next: null };
};

/** Shows what there is by now. */
export const caughtUp = (feed: Feed): Feed =>
  feed.next === null ? feed : { ...feed, shown: feed.next, next: null };

/** How many activities `next` has that are newer than all that are shown. */
export const countNewer = (shown: ActivityPage, next: ActivityPage): number => {
  const rows = next.activities.filter(({ id }) => id > newestId(shown)).length;
  // More may have come than one page shows. Rows cleaned up meanwhile make it less, never too much.
  return rows === 0 ? 0 : Math.max(rows, next.pagination.total - shown.pagination.total);
};

const newestId = ({ activities }: ActivityPage): number => activities[0]?.id ?? 0;

const withNewest = (page: ActivityPage, activity: Activity): ActivityPage => {
  if (activity.id <= newestId(page)) return page;
  const { pagination } = page;
  return {
    ...page,
    activities: [activity, ...page.activities].slice(0, pagination.limit),
    pagination: pagination.totalIsEstimate ? pagination : { ...pagination, total: pagination.total + 1 },
  };
};
