import { describeError } from "#api/core/describe-error.ts";
import type { EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import type { Activity } from "./contract.ts";

/**
 * The activities for one listener, as server-sent events. Nothing is buffered for a slow reader: only its position in
 * the log is kept, and a listener that falls too far behind gets a gap.
 */
export type ActivityStream = {
  pieces: AsyncIterableIterator<string>;
  /** The feed has something new. */
  wake(): void;
  /** Shows the listener that the connection is alive. */
  beat(): void;
  /** Sends nothing more until `release`, while it is unclear whether the listener may still read the log. */
  hold(): void;
  release(): void;
  end(): void;
};

type StreamParts = {
  feed: Pick<ActivityFeed, "through" | "after">;
  matches: (activity: Activity) => boolean;
  /** The end of the log when the listener connected. */
  head: number;
  /** The last activity that the listener has; `null` starts at the head. */
  after: number | null;
  onEnd: () => void;
};

/** How long a browser waits before it reconnects. */
const retryMs = 3_000;

/** Creates a stream, which is held at first. */
export const createActivityStream = ({ feed, matches, head, after, onEnd }: StreamParts): ActivityStream => {
  // A number beyond the end of the log is from a different log, such as the one before a backup was restored.
  const isForeign = after !== null && after > head;
  let cursor = after === null || isForeign ? head : after;
  let owesGap = isForeign;
  let owesBeat = false;
  let hasBegun = false;
  let isHeld = true;
  let isEnded = false;
  let change = Promise.withResolvers<void>();

  const stir = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    stir();
    onEnd();
  };

  const gap = (through: number): string => {
    cursor = through;
    owesGap = false;
    return `event: gap\nid: ${through}\ndata: {"through":${through}}\n\n`;
  };

  const textOf = (rows: FedActivity[], first: number, last: number): string => {
    // Numbers have no gaps: a missing one was removed by retention before the listener got it.
    const before = first > cursor + 1 ? gap(first - 1) : "";
    cursor = last;
    const texts = rows
      .filter(({ activity }) => matches(activity))
      .map(({ activity, json }) => `event: activity\nid: ${activity.id}\ndata: ${json}\n\n`);
    return before + texts.join("");
  };

  /** Continues in the log and returns what can be sent, or `""`. */
  const advance = async (): Promise<string> => {
    if (owesGap || feed.through - cursor > mostBehind) return gap(Math.max(feed.through, cursor));
    const rows = await feed.after(cursor);
    const [first, last] = [rows[0]?.activity.id, rows.at(-1)?.activity.id];
    // What was not sent because of `hold` is read again after `release`.
    if (isHeld || isEnded || first === undefined || last === undefined) return "";
    return textOf(rows, first, last);
  };

  /** What can be sent now, `""` for nothing. */
  const take = async (): Promise<string> => {
    if (!hasBegun) {
      hasBegun = true;
      return `retry: ${retryMs}\nid: ${cursor}\n\n`;
    }
    const news = isHeld || !(owesGap || cursor < feed.through) ? "" : await advance();
    if (news !== "" || !owesBeat) return news;
    owesBeat = false;
    // Sends only the number, so that a browser resumes after rows that its filters exclude.
    return `:\nid: ${cursor}\n\n`;
  };

  const next = async (): Promise<IteratorResult<string>> => {
    while (!isEnded) {
      const changed = change.promise;
      const wasAt = cursor;
      const text = await take();
      if (isEnded) break;
      if (text !== "") return { done: false, value: text };
      if (cursor === wasAt) await changed;
    }
    return { done: true, value: undefined };
  };

  return {
    pieces: {
      [Symbol.asyncIterator]() {
        return this;
      },
      next,
      return: async () => {
        end();
        return { done: true, value: undefined };
      },
    },
    wake: stir,
    beat: () => {
      owesBeat = true;
      stir();
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      stir();
    },
    end,
  };
};

/** A new activity and its JSON, serialized once for all listeners. */
export type FedActivity = { activity: Activity; json: string };

/** How the feed reads the log. */
type FeedSource = {
  /** The number of the newest activity, 0 for an empty log. */
  readHead(): Promise<number>;
  /** The activities after a number, oldest first, at most `limit`. */
  readAfter(after: number, limit: number): Promise<Activity[]>;
};

/** The new activities of a process: each is read from the database once, for all listeners. */
export type ActivityFeed = {
  /** The newest announced number. */
  readonly through: number;
  /**
   * Calls `onNews` whenever `through` changes; resolves to the function that unsubscribes, and the current end of the
   * log.
   */
  join(onNews: () => void): Promise<{ leave: () => void; head: number }>;
  /** The activities after a number up to `through`, oldest first, at most one batch; none while they can't be read. */
  after(id: number): Promise<FedActivity[]>;
  /** Checks for new activities that were not announced. */
  look(): void;
  stop(): void;
};

/** A listener further behind than this gets a gap instead. */
const mostBehind = 1_000;
const pieceRows = 200;
const keptRows = 400;
const readAgainMs = 1_000;

type FeedParts = {
  events: EventBus;
  log: Log;
  source: FeedSource;
  /** Runs between reading and announcing; if it throws, the announcement is postponed. */
  beforeTelling: () => Promise<void>;
};

/** Creates the feed of a process. It rests while there are no listeners. */
export const createActivityFeed = ({ events, log, source, beforeTelling }: FeedParts): ActivityFeed => {
  const listeners = new Set<() => void>();
  let kept: FedActivity[] = [];
  let through = 0;
  // Announced by others, who may be wrong: only what is read counts.
  let wanted = 0;
  let isRunning = false;
  // Counts the rests: a read that began before one is discarded.
  let rests = 0;
  let isReading = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const tell = (next: number): void => {
    through = next;
    for (const onNews of listeners) onNews();
  };

  /** Drops activities that no listener needs any more. */
  const leap = async (): Promise<void> => {
    const [begun, aimed] = [rests, wanted];
    const head = await source.readHead();
    if (wanted === aimed) wanted = head;
    if (head - through <= mostBehind) return;
    await beforeTelling();
    if (rests !== begun) return;
    kept = [];
    tell(head);
  };

  const readOn = async (): Promise<void> => {
    if (wanted - through > mostBehind) return leap();
    const [begun, aimed] = [rests, wanted];
    const rows = await source.readAfter(through, pieceRows);
    const last = rows.at(-1);
    if (last === undefined) {
      if (wanted === aimed) wanted = through;
      return;
    }
    await beforeTelling();
    if (rests !== begun) return;
    const fed = rows.map(fedOf);
    kept = isNext(through, rows) ? [...kept, ...fed].slice(-keptRows) : fed;
    tell(last.id);
  };

  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      while (isRunning && wanted > through) await readOn();
    } catch (error) {
      log.warn("new activities could not be read yet", { error: describeError(error) });
      clearTimeout(retry);
      retry = setTimeout(read, readAgainMs);
    } finally {
      isReading = false;
    }
  };

  const aim = (head: number): void => {
    wanted = Math.max(wanted, head);
    void read();
  };

  const look = (): void => {
    if (!isRunning) return;
    source.readHead().then(aim, (error) => {
      log.warn("the end of the activity log could not be read", { error: describeError(error) });
    });
  };

  const unsubscribe = events.subscribe({ "activity-recorded": ({ through }) => aim(through) }, look);

  const rest = (): void => {
    rests += 1;
    isRunning = false;
    kept = [];
    clearTimeout(retry);
  };

  return {
    get through() {
      return through;
    },
    join: async (onNews) => {
      listeners.add(onNews);
      const leave = () => {
        listeners.delete(onNews);
        if (listeners.size === 0) rest();
      };
      try {
        const head = await source.readHead();
        if (!isRunning && listeners.has(onNews)) {
          isRunning = true;
          through = head;
        }
        aim(head);
        return { leave, head };
      } catch (error) {
        leave();
        throw error;
      }
    },
    after: async (id) => {
      const oldest = kept[0]?.activity.id;
      if (oldest !== undefined && id >= oldest - 1)
        return kept.slice(id - oldest + 1, id - oldest + 1 + pieceRows);
      try {
        const rows = await source.readAfter(id, pieceRows);
        // What follows has not passed `beforeTelling`.
        return rows.filter((activity) => activity.id <= through).map(fedOf);
      } catch (error) {
        log.warn("older activities could not be read yet", { error: describeError(error) });
        return [];
      }
    },
    look,
    stop: () => {
      unsubscribe();
      rest();
    },
  };
};

const fedOf = (activity: Activity): FedActivity => ({ activity, json: JSON.stringify(activity) });

/** Whether the rows follow a number without a gap. */
const isNext = (through: number, rows: Activity[]): boolean => rows[0]?.id === through + 1;
