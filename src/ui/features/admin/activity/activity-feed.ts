import { useCallback, useEffect, useRef, useState } from "react";
import type { Activity, ActivityList } from "#api/modules/activity/contract.ts";
import { activityRefreshMs } from "#contract/activity.ts";
import { client } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
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

type ActivityStreamOptions = {
  /** The filters as a query string, without "?". */
  query: string;
  isOn: boolean;
  /** The newest row that is shown: the stream continues after it. Without one it begins with a gap. */
  newestId?: number | null;
  /** May bring a row again that is shown already; its id tells. */
  onActivity: (activity: Activity) => void;
  /** Rows passed that the stream did not bring: load the list again. */
  onGap: () => void;
  /** The stream was refused or ended: ask whether the server and the session are there still. */
  onBreak: () => void;
};

// A look at another tab is no reason to let go.
const hiddenForMs = 60_000;

/**
 * New activities as they are recorded, while it is on and the tab is in sight (or has not been hidden for a minute). Ask
 * for news by other means as long as it does not say `live`.
 */
const useActivityStream = ({
  query,
  isOn,
  newestId = null,
  onActivity,
  onGap,
  onBreak,
}: ActivityStreamOptions): StreamState => {
  const [state, setState] = useState<StreamState>("off");
  const isWanted = useInSight(hiddenForMs) && isOn;
  const latest = useRef({ newestId, onActivity, onGap, onBreak });
  useEffect(() => {
    latest.current = { newestId, onActivity, onGap, onBreak };
  });

  useEffect(() => {
    if (!isWanted) return;
    const end = openActivityStream(
      {
        onState: setState,
        onActivity: (activity) => latest.current.onActivity(activity),
        onGap: () => latest.current.onGap(),
        onBreak: () => latest.current.onBreak(),
      },
      {
        connect: (after) => new EventSource(streamAddress(query, after)),
        wait: (waitMs, call) => {
          const timer = setTimeout(call, waitMs);
          return () => clearTimeout(timer);
        },
        newestId: () => latest.current.newestId,
      },
    );
    return () => {
      end();
      setState("off");
    };
  }, [isWanted, query]);

  return state;
};

const streamAddress = (query: string, after: number | null): string => {
  const params = new URLSearchParams(query);
  if (after !== null) params.set("after", String(after));
  return `/api/admin/activity/stream?${params}`;
};

/** Whether the tab is in sight, or has been out of it for no longer than `hiddenForMs`. */
const useInSight = (hiddenForMs: number): boolean => {
  const [isInSight, setIsInSight] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setIsInSight(true);
      else timer = setTimeout(() => setIsInSight(false), hiddenForMs);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [hiddenForMs]);
  return isInSight;
};

/** Live; on the way there; or given up for now, so that anyone who wants news has to ask for them. */
type StreamState = "live" | "connecting" | "off";

/** Who wants to hear of what a stream brings. */
type StreamListener = {
  onState: (state: StreamState) => void;
  /** May bring a row again that was there before; its id tells. */
  onActivity: (activity: Activity) => void;
  /** Rows passed that the stream did not bring. */
  onGap: () => void;
  /** It was refused or ended, once until it is live again: the listener had better ask why. */
  onBreak: () => void;
};

/** The part of `EventSource` that is used. */
type StreamSource = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
};

/** What a stream needs of its surroundings: how to connect, how to wait (returns how not to), and the newest row known. */
type StreamSurroundings = {
  connect: (after: number | null) => StreamSource;
  wait: (waitMs: number, call: () => void) => () => void;
  newestId: () => number | null;
};

const patienceMs = 10_000;
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
const mostErrors = 3;
// EventSource.CLOSED: the browser will not try again automatically.
const closed = 2;

/**
 * Keeps one stream of activities, never two, and returns how to end it. The browser fixes short failures itself and then
 * names the last row it got. After three in a row, an answer that is no stream, or 10 s without one, the stream is given
 * up and opened again after 5 s, 10 s, 20 s … 5 min. A new one continues after the newest row known; where none is known,
 * rows may have passed unseen, which counts as a gap.
 */
export const openActivityStream = (
  { onState, onActivity, onGap, onBreak }: StreamListener,
  { connect, wait, newestId }: StreamSurroundings,
): (() => void) => {
  let newest: number | null = null;
  let pauseMs = firstPauseMs;
  let isSound = true;
  let end = () => {};
  const tellBreak = () => {
    if (isSound) onBreak();
    isSound = false;
  };

  const open = () => {
    newest = newestOf(newest, newestId());
    const source = connect(newest);
    let errors = 0;
    const giveUp = () => {
      end();
      tellBreak();
      onState("off");
      end = wait(pauseMs, open);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    let stopWaiting = wait(patienceMs, giveUp);
    end = () => {
      stopWaiting();
      source.close();
    };

    source.addEventListener("open", () => {
      stopWaiting();
      errors = 0;
      isSound = true;
      pauseMs = firstPauseMs;
      onState("live");
      if (newest === null) onGap();
    });
    source.addEventListener("activity", (event) => {
      const activity = asActivity(event);
      newest = newestOf(newest, activity.id);
      onActivity(activity);
    });
    source.addEventListener("gap", onGap);
    source.addEventListener("error", () => {
      errors += 1;
      if (source.readyState === closed || errors >= mostErrors) return giveUp();
      stopWaiting();
      stopWaiting = wait(patienceMs, giveUp);
      tellBreak();
      onState("connecting");
    });
  };

  onState("connecting");
  open();
  return () => end();
};

const newestOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** Events of this name are messages, and the server checks every row against its published schema before sending it. */
const asActivity = (event: Event): Activity => JSON.parse((event as MessageEvent<string>).data) as Activity;
