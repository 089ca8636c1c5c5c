import { afterEach, describe, expect, test } from "bun:test";
import type { EventListeners } from "#api/core/events.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { sampleActivity } from "#api/testing/sample-activity.ts";
import { until } from "#api/testing/until.ts";
import { type ActivityFeed, createActivityFeed } from "./activity-stream.ts";

const feeds: ActivityFeed[] = [];
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.stop();
});

/** A feed over a log that tests let grow, with a bus that says only what it is told to. */
const startFeed = (beforeTelling: () => Promise<void> = async () => {}) => {
  const log = { head: 10, first: 1, looks: 0, reads: 0, isAway: false };
  let onRecorded: NonNullable<EventListeners["activity-recorded"]> = () => {};
  let onGap: () => void = () => {};
  const recording = createRecordingLog();
  const feed = createActivityFeed({
    events: {
      publish: () => {},
      isConnected: true,
      subscribe: (listeners, gap = () => {}) => {
        [onRecorded, onGap] = [listeners["activity-recorded"] ?? onRecorded, gap];
        return () => {};
      },
    },
    log: recording,
    source: {
      readHead: async () => {
        log.looks += 1;
        if (log.isAway) throw new Error("away");
        return log.head;
      },
      readAfter: async (after, limit) => {
        log.reads += 1;
        if (log.isAway) throw new Error("away");
        const begin = Math.max(after + 1, log.first);
        const rows = Math.max(0, Math.min(limit, log.head - begin + 1));
        return Array.from({ length: rows }, (_, n) => sampleActivity(begin + n));
      },
    },
    beforeTelling,
  });
  feeds.push(feed);
  const grow = (rows: number) => {
    log.head += rows;
    onRecorded({ type: "activity-recorded", through: log.head });
  };
  return {
    feed,
    log,
    grow,
    say: (through: number) => onRecorded({ type: "activity-recorded", through }),
    gap: () => onGap(),
    recording,
  };
};

const ids = async (feed: ActivityFeed, after: number) =>
  (await feed.after(after)).map(({ activity: { id } }) => id);

describe("the feed of new activities", () => {
  test("reads new rows once, however many listen, and tells each of them", async () => {
    const { feed, log, grow } = startFeed();
    const told: number[] = [];
    for (let listener = 0; listener < 3; listener += 1) await feed.join(() => told.push(listener));
    grow(3);
    await until(() => feed.through === 13);
    expect(log.reads).toBe(1);
    expect(told).toEqual([0, 1, 2]);
    for (let listener = 0; listener < 3; listener += 1) expect(await ids(feed, 10)).toEqual([11, 12, 13]);
    expect(await ids(feed, 12)).toEqual([13]);
    expect(log.reads).toBe(1);
  });

  test("rests while there are no listeners, and starts at the log's end for the next one", async () => {
    const { feed, log, grow } = startFeed();
    const { leave } = await feed.join(() => {});
    leave();
    grow(5);
    expect((await feed.join(() => {})).head).toBe(15);
    expect(feed.through).toBe(15);
    expect(log.reads).toBe(0);
  });

  for (const when of ["before", "after"]) {
    test(`has no hole when its last listener left while it read, and it was done ${when} the next came`, async () => {
      const gate = Promise.withResolvers<void>();
      let isAsked = false;
      const { feed, log, grow } = startFeed(() => {
        isAsked = true;
        return gate.promise;
      });
      const { leave } = await feed.join(() => {});
      grow(1);
      await until(() => isAsked);
      leave();
      log.head += 1;
      if (when === "before") gate.resolve();
      await new Promise(setImmediate);
      await feed.join(() => {});
      gate.resolve();
      grow(1);
      await until(() => feed.through === 13);
      expect(await ids(feed, 10)).toEqual([11, 12, 13]);
      expect(await ids(feed, 11)).toEqual([12, 13]);
    });
  }

  test("reads what is older than it keeps from the database", async () => {
    const { feed, log } = startFeed();
    await feed.join(() => {});
    expect(await ids(feed, 4)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(log.reads).toBe(1);
  });

  test("checks the log's end automatically when messages may have been missed", async () => {
    const { feed, log, gap } = startFeed();
    await feed.join(() => {});
    log.head = 12;
    gap();
    await until(() => feed.through === 12);
    log.head = 13;
    feed.look();
    await until(() => feed.through === 13);
  });

  test("skips what is too much to send, and continues after it", async () => {
    const { feed, log, grow } = startFeed();
    await feed.join(() => {});
    grow(5_000);
    await until(() => feed.through === 5_010);
    expect(log.reads).toBe(0);
    grow(1);
    await until(() => feed.through === 5_011);
    expect(await ids(feed, 5_010)).toEqual([5_011]);
  });

  test("believes the database, not a message that speaks of rows which are not there", async () => {
    const { feed, log, grow, say } = startFeed();
    await feed.join(() => {});
    say(1e15);
    await until(() => log.looks === 2);
    say(12);
    await until(() => log.reads === 1);
    expect(feed.through).toBe(10);
    grow(1);
    await until(() => feed.through === 11);
    expect(await ids(feed, 10)).toEqual([11]);
  });

  test("tells of nothing before it was allowed to, and tries again", async () => {
    let refusals = 1;
    const { feed, grow, recording } = startFeed(async () => {
      refusals -= 1;
      if (refusals >= 0) throw new Error("not yet");
    });
    await feed.join(() => {});
    grow(1);
    await until(() => recording.entries.length === 1);
    expect(feed.through).toBe(10);
    expect(await ids(feed, 10)).toEqual([]);
    await until(() => feed.through === 11);
  });

  test("continues when the database is back", async () => {
    const { feed, log, grow } = startFeed();
    await feed.join(() => {});
    log.isAway = true;
    grow(2);
    await until(() => log.reads > 0);
    expect(await ids(feed, 3)).toEqual([]);
    log.isAway = false;
    await until(() => feed.through === 12);
    expect(await ids(feed, 10)).toEqual([11, 12]);
  });
});
