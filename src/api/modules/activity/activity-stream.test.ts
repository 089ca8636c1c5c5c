import { describe, expect, test } from "bun:test";
import { sampleActivity } from "#api/testing/sample-activity.ts";
import { createActivityStream, type FedActivity } from "./activity-stream.ts";
import type { Activity } from "./contract.ts";

const fed = (id: number): FedActivity => ({
  activity: sampleActivity(id, { severity: id % 2 === 0 ? "high" : "low" }),
  json: `{"id":${id}}`,
});

type Start = {
  head?: number;
  after?: number | null;
  first?: number;
  matches?: (activity: Activity) => boolean;
};

/** A stream over a log that tests let grow, begun and released. */
const startStream = async ({ head = 10, after = null, first = 1, matches = () => true }: Start = {}) => {
  const log = { through: head, reads: 0, ends: 0 };
  const stream = createActivityStream({
    feed: {
      get through() {
        return log.through;
      },
      after: async (id) => {
        log.reads += 1;
        const begin = Math.max(id + 1, first);
        const rows = Math.max(0, Math.min(100, log.through - begin + 1));
        return Array.from({ length: rows }, (_, n) => fed(begin + n));
      },
    },
    matches,
    head,
    after,
    onEnd: () => {
      log.ends += 1;
    },
  });
  const next = async () => (await stream.pieces.next()).value;
  const greeting = await next();
  stream.release();
  const grow = (rows: number) => {
    log.through += rows;
    stream.wake();
  };
  return { stream, log, next, grow, greeting };
};

const event = (id: number) => `event: activity\nid: ${id}\ndata: {"id":${id}}\n\n`;
const gap = (through: number) => `event: gap\nid: ${through}\ndata: {"through":${through}}\n\n`;

/** Whether a promise waits still, after all that could be done at once has been done. */
const isWaiting = async (promise: Promise<unknown>): Promise<boolean> => {
  const waits = Symbol("waits");
  const later = new Promise((resolve) => setImmediate(() => resolve(waits)));
  return (await Promise.race([promise, later])) === waits;
};

describe("one listener's stream", () => {
  test("begins with when to come back and from where", async () => {
    expect((await startStream()).greeting).toBe("retry: 3000\nid: 10\n\n");
    expect((await startStream({ after: 7 })).greeting).toBe("retry: 3000\nid: 7\n\n");
  });

  test("waits for news, and shows meanwhile that it is alive", async () => {
    const { stream, next, grow } = await startStream();
    const waiting = next();
    expect(await isWaiting(waiting)).toBe(true);
    stream.beat();
    expect(await waiting).toBe(":\nid: 10\n\n");
    grow(2);
    expect(await next()).toBe(event(11) + event(12));
  });

  test("passes over what does not match, and its beat says how far it is", async () => {
    const { stream, next, grow } = await startStream({ matches: ({ severity }) => severity === "high" });
    grow(4);
    expect(await next()).toBe(event(12) + event(14));
    const waiting = next();
    grow(1);
    expect(await isWaiting(waiting)).toBe(true);
    stream.beat();
    expect(await waiting).toBe(":\nid: 15\n\n");
  });

  test("who does not read costs nothing, and is told of one gap when more than 1,000 rows were missed", async () => {
    const { stream, log, next, grow } = await startStream();
    for (let batch = 0; batch < 100; batch += 1) {
      grow(100);
      stream.beat();
    }
    expect(log.reads).toBe(0);
    expect(await next()).toBe(gap(10_010));
    expect(await next()).toBe(":\nid: 10010\n\n");
    grow(1);
    expect(await next()).toBe(event(10_011));
  });

  test("who comes back when rows behind theirs were cleaned up is told of a gap, then of the rest", async () => {
    const { next } = await startStream({ after: 3, first: 9 });
    expect(await next()).toBe(gap(8) + event(9) + event(10));
  });

  test("who has a number that the log does not have is told of a gap", async () => {
    const { next, grow, greeting } = await startStream({ after: 99 });
    expect(greeting).toBe("retry: 3000\nid: 10\n\n");
    expect(await next()).toBe(gap(10));
    grow(1);
    expect(await next()).toBe(event(11));
  });

  test("brings nothing while it is held, not even what was read before, and all of it later", async () => {
    const { stream, next, grow } = await startStream();
    grow(1);
    const waiting = next();
    stream.hold();
    expect(await isWaiting(waiting)).toBe(true);
    stream.beat();
    expect(await waiting).toBe(":\nid: 10\n\n");
    stream.release();
    expect(await next()).toBe(event(11));
  });

  test("ends once, in the middle of waiting too, and brings nothing that came before", async () => {
    const { stream, log, grow } = await startStream();
    const waiting = stream.pieces.next();
    grow(1);
    stream.end();
    stream.end();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await stream.pieces.next()).toEqual({ done: true, value: undefined });
    await stream.pieces.return?.();
    expect(log.ends).toBe(1);
  });
});
