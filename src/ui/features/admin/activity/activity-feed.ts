import { useCallback, useEffect, useRef, useState } from "react";
import type { Activity, ActivityList } from "#api/modules/activity/contract.ts";
import { activityRefreshMs } from "#contract/activity.ts";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { useActivityStream } from "./activity-stream.ts";
import { type ActivityView, filterQuery, listInput, listQuery, readView } from "./activity-view.ts";

/** The list of a view, and what to do about what is new in it. */
export type ActivityFeed = ReturnType<typeof useActivityFeed>;

/**
 * The list that the view asks for. On page 1 with auto-refresh on, what comes in appears automatically: from the stream, or
 * every 30 s where there is none. While `isHeld()` nothing moves; `newer` counts what waits, and `catchUp` shows it.
 * `revision` is another number whenever the same list was asked for again or grew: time to ask for its figures, too.
 */
export const useActivityFeed = (view: ActivityView, isHeld: () => boolean) => {
  const query = listQuery(view);
  const load = useCallback(async () => {
    const { data: page } = await client.activity.list(listInput(readView(query)));
    return { query, page };
  }, [query]);
  const [feed, setFeed] = useState<Feed | null>(null);
  const isOn = view.isLive && view.page === 1;
  const [isPolling, setIsPolling] = useState(isOn);
  const { data, error, isLoading, reload } = useLoad(load, isPolling ? activityRefreshMs : undefined);

  const now = useRef({ query, isHeld });
  useEffect(() => {
    now.current = { query, isHeld };
  });
  // What the reader asks for is shown, whatever they are in the middle of.
  const isAskedFor = useRef(false);
  useEffect(() => {
    if (data === null) return;
    const mayMove = isAskedFor.current || !now.current.isHeld();
    isAskedFor.current = false;
    setFeed((feed) => loaded(feed, { ...data, isHeld: !mayMove }));
  }, [data]);

  const gather = useGathered((activities) => {
    const arrivals = { query: now.current.query, activities, isHeld: now.current.isHeld() };
    setFeed((feed) => arrived(feed, arrivals));
  }, reload);
  const newest = feed?.query === query ? (feed.next ?? feed.shown).activities[0] : undefined;
  const stream = useActivityStream({
    query: filterQuery(view).toString(),
    isOn,
    newestId: newest?.id ?? null,
    onActivity: gather.take,
    onGap: gather.miss,
    onBreak: reload,
  });
  useEffect(() => setIsPolling(isOn && stream !== "live"), [isOn, stream]);

  const isOther = feed !== null && feed.query !== query;
  return {
    // Rows of another list are none: what was asked for did not come.
    page: isOther && error !== null ? null : (feed?.shown ?? null),
    revision: useRevision(feed),
    newer: feed === null || feed.next === null ? 0 : countNewer(feed.shown, feed.next),
    error,
    isLoading: isLoading || isOther,
    isLive: isOn && stream === "live",
    reload: () => {
      isAskedFor.current = true;
      reload();
    },
    catchUp: () => setFeed((feed) => feed && caughtUp(feed)),
  };
};

// A flood is shown a few times a second, not a row at a time.
const gatherMs = 250;

const useGathered = (show: (activities: Activity[]) => void, reload: () => void) => {
  const latest = useRef({ show, reload });
  useEffect(() => {
    latest.current = { show, reload };
  });
  const came = useRef<{ activities: Activity[]; hasGap: boolean }>({ activities: [], hasGap: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const empty = () => {
    timer.current = undefined;
    const { activities, hasGap } = came.current;
    came.current = { activities: [], hasGap: false };
    if (hasGap) latest.current.reload();
    else latest.current.show(activities);
  };
  const wait = () => {
    timer.current ??= setTimeout(empty, gatherMs);
  };
  return {
    take: (activity: Activity) => {
      came.current.activities.push(activity);
      wait();
    },
    miss: () => {
      came.current.hasGap = true;
      wait();
    },
  };
};

// While a list grows all the time, its figures are asked for no more often.
const restMs = 2_000;

/** A number that grows, every 2 s at most, when the rows on show are no longer the same, though what is listed is. */
const useRevision = (feed: Feed | null): number => {
  const [revision, setRevision] = useState(0);
  const known = useRef(feed);
  const grownAtMs = useRef(0);
  const isDue = useRef(false);
  useEffect(() => {
    const before = known.current;
    known.current = feed;
    if (before !== null && before.query === feed?.query && before.shown !== feed.shown) isDue.current = true;
    if (!isDue.current) return;
    const timer = setTimeout(
      () => {
        isDue.current = false;
        grownAtMs.current = Date.now();
        setRevision((number) => number + 1);
      },
      Math.max(0, grownAtMs.current + restMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [feed]);
  return revision;
};

/** Calls `reload` when a revision is followed by another. */
export const useReloadAt = (revision: number, reload: () => void): void => {
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  useEffect(() => {
    if (revision > 0) latest.current();
  }, [revision]);
};

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

/** The feed after activities came in automatically, oldest first; those of another list are not for it. */
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

/** The count of page 1 when it was left for the pages of `before`, which the rows that arrived since are not on. */
export type LeftPage = { pages: string; count: Count };

type Count = Pick<ActivityPage["pagination"], "total" | "totalIsEstimate">;

/** Page 1 as it is left for `view`. */
export const leftFor = (view: ActivityView, { total, totalIsEstimate }: Count): LeftPage => ({
  pages: pagesOf(view),
  count: { total, totalIsEstimate },
});

/**
 * Which rows of how many a page shows. The API counts what there is at the moment; pages that hold on to an older moment
 * count as then where that is known, else to their end once they reach it.
 */
export const settled = (
  { activities, pagination }: ActivityPage,
  view: ActivityView,
  left: LeftPage | null,
): ActivityPage["pagination"] => {
  if (view.before === null) return pagination;
  if (left?.pages === pagesOf(view)) return { ...pagination, ...left.count };
  const { offset, limit, totalIsEstimate } = pagination;
  const isLast = activities.length > 0 && activities.length < limit && !totalIsEstimate;
  return isLast ? { ...pagination, total: offset + activities.length } : pagination;
};

const pagesOf = (view: ActivityView): string => `${view.before} ${filterQuery(view)}`;
