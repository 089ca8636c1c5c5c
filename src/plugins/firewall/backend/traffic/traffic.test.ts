import { describe, expect, test } from "bun:test";
import type { ActivityInput } from "#plugins/sdk/types.ts";
import { createActivityNotes } from "../journal/activity-notes.ts";
import { admin } from "../testing/fake-ctx.ts";
import { createFakeKv, fault } from "../testing/fake-kv.ts";
import { startPlugin } from "../testing/started-plugin.ts";
import type { JournalEntry, TrafficRow } from "../wire.ts";
import { createHitCounts } from "./hit-counts.ts";
import { createMinutes } from "./minutes.ts";
import { createTrafficLog } from "./traffic-log.ts";

const row: Omit<TrafficRow, "number"> = {
  ...{ id: "x", at: "", verdict: "passed", address: "", country: null, method: "GET", path: "/", user: null },
  ...{ role: "visitor", status: 200, durationMs: 1, reasons: [] },
};
const numbers = ({ rows }: { rows: TrafficRow[] }) => rows.map(({ number }) => number);

describe("live traffic", () => {
  test("asked for what came after the last look gives each request once, and tells what was missed", () => {
    const log = createTrafficLog(10);
    for (let count = 0; count < 5; count += 1) log.add(row);
    const first = log.after(undefined, 3);
    expect([numbers(first), first.last]).toEqual([[3, 4, 5], 5]);
    log.add(row);
    expect(log.after(5, 100)).toMatchObject({ rows: [{ number: 6 }], last: 6, missed: 0 });
    for (let count = 0; count < 20; count += 1) log.add(row);
    expect(log.after(6, 4)).toMatchObject({ missed: 10, last: 20 });
    expect(numbers(log.after(6, 4))).toEqual([17, 18, 19, 20]);
    expect(numbers(log.after(26, 4))).toEqual([]);
  });

  test("asked after a restart with an old number begins anew", () => {
    const log = createTrafficLog(10);
    log.add(row);
    expect(log.after(999, 5)).toMatchObject({ rows: [{ number: 1 }], missed: 0 });
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
    const minutes = createMinutes(() => now);
    minutes.add("blocked", false);
    now += 1_440 * 60_000;
    expect(minutes.sum(24).blocked).toBe(0);
    minutes.add("limited", false);
    expect(minutes.sum(1)).toMatchObject({ blocked: 0, limited: 1 });
  });
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
