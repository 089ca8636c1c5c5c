import { type ActivityFeed, type FedActivity, mostBehind } from "./activity-feed.ts";
import type { Activity } from "./contract.ts";

/**
 * The activities on their way to one listener, as server-sent events. Nothing waits in memory for who does not read:
 * the place in the log is all that is kept, and who falls too far behind is told of a gap.
 */
export type ActivityStream = {
  pieces: AsyncIterableIterator<string>;
  /** The feed has something new. */
  wake(): void;
  /** Shows the listener that the line is alive. */
  beat(): void;
  /** Sends nothing more until `release`: it is not sure whether the listener still may hear it. */
  hold(): void;
  release(): void;
  end(): void;
};

type StreamParts = {
  feed: Pick<ActivityFeed, "through" | "after">;
  matches: (activity: Activity) => boolean;
  /** Where the log ended when the listener came. */
  head: number;
  /** The last activity that the listener has; `null` begins at the head. */
  after: number | null;
  onEnd: () => void;
};

/** After how long a browser asks again when the line is cut. */
const retryMs = 3_000;

/** Makes a stream. It begins held. */
export const createActivityStream = ({ feed, matches, head, after, onEnd }: StreamParts): ActivityStream => {
  // Numbers ahead of the log come from another one, such as this one before a backup was restored.
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
    // Numbers have no holes: where one begins, retention has removed rows that the listener never had.
    const before = first > cursor + 1 ? gap(first - 1) : "";
    cursor = last;
    const texts = rows
      .filter(({ activity }) => matches(activity))
      .map(({ activity, json }) => `event: activity\nid: ${activity.id}\ndata: ${json}\n\n`);
    return before + texts.join("");
  };

  /** Goes on in the log; what can be sent of it, `""` for nothing. */
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
    // The number alone moves the place from which a browser resumes, past rows that its filters leave out.
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
