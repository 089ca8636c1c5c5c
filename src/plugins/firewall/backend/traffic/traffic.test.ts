import { describe, expect, test } from "bun:test";
import type { ActivityInput } from "#plugins/sdk/types.ts";
import { createActivityNotes } from "../journal/activity-notes.ts";
import { admin } from "../testing/fake-ctx.ts";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { startPlugin } from "../testing/started-plugin.ts";
import type { JournalEntry, TrafficRow } from "../wire.ts";
import { createHitCounts, createMinutes } from "./counts.ts";
import { createTrafficLog } from "./traffic-log.ts";

const row: TrafficRow = {
  ...{ id: "x", at: "", verdict: "passed", address: "", country: null, method: "GET", path: "/", user: null },
  ...{ role: "visitor", status: 200, durationMs: 1, reasons: [] },
};
/** A server's log, with `at` and `id` of each row being its turn among all. */
const createServer = (replica: string, { kv, clock }: World) => {
  const log = createTrafficLog({ kv, replica, now: () => clock.nowMs, ask: () => {}, most: 10 });
  const add = (): void => {
    clock.nowMs += 1;
    log.add({ ...row, id: String(clock.nowMs), at: new Date(clock.nowMs).toISOString() });
  };
  return { ...log, add };
};
type World = { kv: ReturnType<typeof createFakeKv>; clock: { nowMs: number } };
const newWorld = (): World => {
  const clock = { nowMs: 0 };
  return { kv: createFakeKv(() => clock.nowMs), clock };
};
const ids = ({ rows }: { rows: TrafficRow[] }) => rows.map(({ id }) => Number(id));

describe("live traffic", () => {
  test("asked for what came after the last look gives each request once, and tells what was missed", async () => {
    const log = createServer("one", newWorld());
    for (let count = 0; count < 5; count += 1) log.add();
    const first = await log.after(undefined, 3);
    expect([ids(first), first.missed]).toEqual([[3, 4, 5], 0]);
    log.add();
    const second = await log.after(first.cursor, 100);
    expect([ids(second), second.missed]).toEqual([[6], 0]);
    for (let count = 0; count < 20; count += 1) log.add();
    const third = await log.after(second.cursor, 4);
    expect([ids(third), third.missed]).toEqual([[17, 18, 19, 20], 10]);
    const fourth = await log.after(third.cursor, 100);
    expect(ids(fourth)).toEqual([21, 22, 23, 24, 25, 26]);
    expect(ids(await log.after(fourth.cursor, 4))).toEqual([]);
  });

  test("asked after a restart with an old cursor gives the newest", async () => {
    const log = createServer("one", newWorld());
    log.add();
    expect(ids(await log.after("before:999", 5))).toEqual([1]);
  });

  test("asked at any server gives the requests of all by their time, each once, while someone looks", async () => {
    const world = newWorld();
    const [one, other] = [createServer("one", world), createServer("other", world)];
    for (let count = 0; count < 4; count += 1) (count % 2 === 0 ? one : other).add();
    await other.publish();
    const alone = await one.after(undefined, 10);
    expect(ids(alone)).toEqual([1, 3]);
    other.watched();
    await other.publish();
    const both = await one.after(alone.cursor, 10);
    expect(ids(both)).toEqual([2, 4]);
    expect(ids(await one.after("1", 10))).toEqual([3]);
    one.watched();
    one.add();
    await one.publish();
    expect(ids(await other.after(both.cursor, 10))).toEqual([5]);
  });

  test("is published only as long as someone looks", async () => {
    const world = newWorld();
    const log = createServer("one", world);
    log.watched();
    world.clock.nowMs += 60_000;
    log.add();
    await log.publish();
    expect(world.kv.values.size).toBe(0);
  });

  test("shows each request with verdict, reasons and who it was, and counts minutes", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    await plugin.pass({ path: "/fine" });
    await plugin.pass({ query: "attack" });
    await plugin.pass({ query: "attack", user: admin });
    expect((await plugin.call("GET", "/traffic")).json).toMatchObject({
      data: {
        rows: [
          { path: "/fine", verdict: "passed", role: "visitor", status: 200, durationMs: 1.3 },
          { verdict: "blocked", status: 403, reasons: ["Says attack (code-injection)"] },
          { verdict: "noticed", user: "Ada", role: "admin" },
        ],
        isWatching: true,
      },
    });
    expect((await plugin.call("GET", "/status")).json).toMatchObject({
      data: { lastHour: { passed: 2, blocked: 1, spared: 1 }, state: "The firewall is on.", patterns: 2 },
    });
    const { minutes } = Object(
      (await plugin.call("GET", "/traffic/minutes", { query: { hours: "2" } })).json,
    ).data;
    expect([minutes.length, minutes.at(-1).blocked]).toEqual([120, 1]);
    expect((await plugin.call("GET", "/traffic", { query: { limit: "9999" } })).status).toBe(422);
  });

  test("minutes of the day before are not those of today", () => {
    let now = 1_440 * 60_000 * 1_000;
    const minutes = createMinutes({ kv: createFakeKv(), replica: "one", now: () => now });
    minutes.add("blocked", false);
    now += 1_440 * 60_000;
    expect(minutes.sum(24).blocked).toBe(0);
    minutes.add("limited", false);
    expect(minutes.sum(1)).toMatchObject({ blocked: 0, limited: 1 });
  });
});

test("minutes are those of all servers, and outlast a restart", async () => {
  const now = () => 1_440 * 60_000 * 1_000;
  const kv = createFakeKv(now);
  const start = (replica: string) => createMinutes({ kv, replica, now });
  const [one, other] = [start("one"), start("other")];
  one.add("blocked", false);
  other.add("blocked", true);
  await other.sync();
  await one.sync();
  expect(one.sum(1)).toMatchObject({ blocked: 2, spared: 1 });
  expect(one.list(1).at(-1)).toMatchObject({ blocked: 2 });
  const after = start("afterwards");
  await after.sync();
  expect(after.sum(1)).toMatchObject({ blocked: 2, passed: 0 });
});

describe("hits", () => {
  test("of all replicas add up, and none is lost while the database is away", async () => {
    const kv = createFakeKv();
    const [one, other] = [createHitCounts(kv), createHitCounts(kv)];
    one.add("address", "a");
    other.add("address", "a");
    other.add("address", "gone");
    kv.fails = () => fault("UNAVAILABLE");
    expect(await one.sync(() => true).catch(() => "away")).toBe("away");
    kv.fails = () => null;
    await one.sync(() => true);
    await other.sync((key) => key !== "address gone");
    await one.sync(() => true);
    expect([one.of("address", "a"), other.of("address", "a"), one.of("address", "gone")]).toEqual([2, 2, 0]);
  });

  test("are shown beside the entry that had them", async () => {
    const plugin = await startPlugin();
    await plugin.call("POST", "/on");
    await plugin.call("POST", "/addresses", { body: { kind: "deny", address: "198.51.100.1" }, user: null });
    await plugin.pass({ ip: "198.51.100.1" });
    await plugin.pass({ ip: "198.51.100.1" });
    expect((await plugin.call("GET", "/addresses")).json).toMatchObject({ data: { entries: [{ hits: 2 }] } });
  });
});

describe("the activity log", () => {
  const entry = (address: string, at: number): JournalEntry => ({
    ...{
      id: "id",
      at: new Date(at).toISOString(),
      verdict: "blocked",
      address,
      country: null,
      method: "GET",
    },
    ...{ path: "/", query: "", userAgent: "", user: null, score: 5, threshold: 5, reasons: [], status: 403 },
    replica: "one",
  });

  test("hears of the first block within seconds, and of a flood once a minute", async () => {
    let now = 1_000_000;
    const rows: ActivityInput[] = [];
    const notes = createActivityNotes(
      async (made) => void rows.push(made),
      () => now,
    );
    for (let second = 0; second < 180; second += 1) {
      for (let count = 0; count < 100; count += 1) notes.add(entry(`198.51.100.${count}`, now));
      await notes.flush();
      now += 1_000;
    }
    expect(rows.length).toBeLessThanOrEqual(4);
    expect(rows[0]?.description).toStartWith("300 from 198.51.100.0, 198.51.100.1, 198.51.100.2 and 97 more");
    expect(rows.every(({ type }) => type === "suspicious_activity")).toBe(true);
  });
});
