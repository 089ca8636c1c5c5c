import { useCallback, useEffect, useRef, useState } from "react";
import type { Activity } from "#api/modules/activity/contract.ts";
import { activityRefreshMs } from "#contract/activity.ts";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { arrived, caughtUp, countNewer, type Feed, loaded } from "./activity-feed.ts";
import { type ActivityView, filterQuery, listInput, listQuery, readView } from "./activity-view.ts";
import { useActivityStream } from "./use-activity-stream.ts";
import { useRevision } from "./use-revision.ts";

/** The list of a view, and what to do about what is new in it. */
export type ActivityFeed = ReturnType<typeof useActivityFeed>;

/**
 * The list that the view asks for. On page 1 with auto-refresh on, what comes in appears by itself: from the stream, or
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
