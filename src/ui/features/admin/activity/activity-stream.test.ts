import { describe, expect, test } from "bun:test";
import { openActivityStream } from "./activity-feed.ts";

const closed = 2;

/** A connection that does what a test tells it to. */
class TestSource extends EventTarget {
  readyState = 0;
  constructor(readonly after: number | null) {
    super();
  }
  close() {
    this.readyState = closed;
  }
  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  bring(id: number) {
    this.dispatchEvent(new MessageEvent("activity", { data: JSON.stringify({ id }) }));
  }
  /** Fails; the browser tries again by itself unless it is told that this is no stream. */
  fail({ isFinal = false } = {}) {
    this.readyState = isFinal ? closed : 0;
    this.dispatchEvent(new Event("error"));
  }
}

const openStream = (known: number | null = null) => {
  const sources: TestSource[] = [];
  const told: (string | number)[] = [];
  const waits = new Set<{ waitMs: number; call: () => void }>();
  const end = openActivityStream(
    {
      onState: (state) => told.push(state),
      onActivity: ({ id }) => told.push(id),
      onGap: () => told.push("gap"),
      onBreak: () => told.push("break"),
    },
    {
      connect: (after) => {
        const source = new TestSource(after);
        sources.push(source);
        return source;
      },
      wait: (waitMs, call) => {
        const entry = { waitMs, call };
        waits.add(entry);
        return () => waits.delete(entry);
      },
      newestId: () => known,
    },
  );
  const newest = () => {
    const source = sources.at(-1);
    if (source === undefined) throw new Error("nothing was connected");
    return source;
  };
  /** Lets the time pass that is waited for; answers how long it was. */
  const pass = (): number => {
    const [entry, ...others] = waits;
    if (entry === undefined || others.length > 0) throw new Error(`${waits.size} waits instead of one`);
    waits.delete(entry);
    entry.call();
    return entry.waitMs;
  };
  const openCount = () => sources.filter(({ readyState }) => readyState !== closed).length;
  return { sources, told, waits, end, newest, pass, openCount };
};

describe("the live stream", () => {
  test("is live once it is open, and hands on what it brings", () => {
    const { newest, told, waits } = openStream(7);
    expect(newest().after).toBe(7);
    newest().open();
    newest().bring(8);
    expect(told).toEqual(["connecting", "live", 8]);
    expect(waits.size).toBe(0);
  });

  test("begins with a gap where no row is known, and tells the server's gaps", () => {
    const { newest, told } = openStream(null);
    newest().open();
    newest().dispatchEvent(new Event("gap"));
    expect(told).toEqual(["connecting", "live", "gap", "gap"]);
  });

  test("leaves a short failure to the browser", () => {
    const { newest, sources, told } = openStream(7);
    newest().open();
    newest().fail();
    newest().open();
    expect(sources.length).toBe(1);
    expect(told).toEqual(["connecting", "live", "break", "connecting", "live"]);
  });

  test("is off immediately when the response is no stream, and retried with growing delays of up to 5 minutes", () => {
    const { newest, told, pass, openCount } = openStream(7);
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      newest().fail({ isFinal: true });
      expect(openCount()).toBe(0);
      pauses.push(pass() / 1_000);
      expect(openCount()).toBe(1);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    expect(told.slice(0, 3)).toEqual(["connecting", "break", "off"]);
    expect(new Set(told.slice(2))).toEqual(new Set(["off"]));
  });

  test("is off after three failures in a row, not of three in all", () => {
    const { newest, told, openCount } = openStream(7);
    for (let round = 0; round < 3; round += 1) {
      newest().open();
      newest().fail();
    }
    expect(told).not.toContain("off");
    newest().fail();
    newest().fail();
    expect(told.at(-1)).toBe("off");
    expect(openCount()).toBe(0);
  });

  test("is off when nothing answers within 10 s, at first and after a failure", () => {
    const { newest, told, pass, openCount } = openStream(7);
    expect(pass()).toBe(10_000);
    expect([told.at(-1), openCount()]).toEqual(["off", 0]);
    expect(pass()).toBe(5_000);
    newest().open();
    newest().fail();
    expect(pass()).toBe(10_000);
    expect([told.at(-1), openCount()]).toEqual(["off", 0]);
  });

  test("continues after the newest row received, and waits briefly again after it was live", () => {
    const { newest, told, pass } = openStream(7);
    newest().open();
    newest().bring(9);
    newest().fail({ isFinal: true });
    expect(pass()).toBe(5_000);
    expect(newest().after).toBe(9);
    newest().open();
    newest().fail({ isFinal: true });
    expect(pass()).toBe(5_000);
    expect(told).not.toContain("gap");
  });

  test("that was ended is closed and never opened again", () => {
    const live = openStream(7);
    live.newest().open();
    live.end();
    const paused = openStream(7);
    paused.newest().fail({ isFinal: true });
    paused.end();
    for (const { openCount, waits } of [live, paused]) expect([openCount(), waits.size]).toEqual([0, 0]);
  });
});
