import { describe, expect, test } from "bun:test";
import type { TrafficData, TrafficRow } from "../../backend/wire.ts";
import { arrived, caughtUp, filterRows, mostKept, noTraffic } from "./traffic-feed.ts";

const row = (number: number, more: Partial<TrafficRow> = {}): TrafficRow => ({
  ...{ id: String(number), at: new Date(number).toISOString(), verdict: "passed" },
  ...{ address: "203.0.113.7", country: null, method: "GET", path: "/about", user: null, role: "visitor" },
  ...{ status: 200, durationMs: 3, reasons: [] },
  ...more,
});

const answer = (numbers: number[], more: Partial<TrafficData> = {}): TrafficData => ({
  ...{ rows: numbers.map((number) => ({ ...row(number), number })), missed: 0, replica: "a" },
  ...{ cursor: `a:${numbers.at(-1) ?? 0}`, last: numbers.at(-1) ?? 0 },
  isWatching: true,
  ...more,
});

const numbers = (rows: readonly TrafficRow[]) => rows.map(({ id }) => Number(id));

describe("live traffic", () => {
  test("stands newest first and goes on after the last that came", () => {
    const feed = arrived(arrived(noTraffic, answer([1, 2]), false), answer([3]), false);
    expect(numbers(feed.rows)).toEqual([3, 2, 1]);
    expect(feed.after).toBe("a:3");
  });

  test("moves no row while somebody is reading, and loses none of what waits", () => {
    const reading = arrived(arrived(noTraffic, answer([1]), false), answer([2, 3]), true);
    expect(numbers(reading.rows)).toEqual([1]);
    expect(numbers(reading.waiting)).toEqual([3, 2]);
    expect(numbers(caughtUp(reading).rows)).toEqual([3, 2, 1]);
    expect(numbers(arrived(reading, answer([4]), false).rows)).toEqual([4, 3, 2, 1]);
  });

  test("shows a request that is told twice once", () => {
    const feed = arrived(arrived(noTraffic, answer([1, 2]), false), answer([2, 3]), false);
    expect(numbers(feed.rows)).toEqual([3, 2, 1]);
  });

  test("puts what another server tells later where it belongs by its time", () => {
    const feed = arrived(arrived(noTraffic, answer([1, 5]), false), answer([3, 6]), false);
    expect(numbers(feed.rows)).toEqual([6, 5, 3, 1]);
  });

  test("is bounded, and counts what went by unseen", () => {
    const many = Array.from({ length: mostKept + 20 }, (_, index) => index);
    const feed = arrived(noTraffic, answer(many, { missed: 7 }), false);
    expect(feed.rows).toHaveLength(mostKept);
    expect(Number(feed.rows[0]?.id)).toBe(mostKept + 19);
    expect(feed.missed).toBe(7);
  });

  test("is narrowed down by verdict and by what is written in it", () => {
    const rows = [
      row(1, { verdict: "blocked", reasons: ["SQL in a parameter"] }),
      row(2, { user: "Grace" }),
      row(3, { verdict: "blocked", path: "/api/contact" }),
    ];
    const shown = (verdict: "blocked" | null, search: string) =>
      numbers(filterRows(rows, { verdict, search, hidesNoise: true }));
    expect(shown("blocked", "")).toEqual([1, 3]);
    expect(shown(null, "grace")).toEqual([2]);
    expect(shown("blocked", "sql")).toEqual([1]);
    expect(shown(null, "get /api")).toEqual([3]);
  });

  test("leaves out files and the admin area's own calls unless they are wanted", () => {
    const noise = [
      ...["/assets/index-4f9a2c.js", "/favicon.svg", "/api/plugin-host/frame", "/api/firewall/traffic"],
      ...["/api/plugins/firewall/assets/1.0.0/frontend/index.css", "/photo.webp"],
    ].map((path, index) => row(index, { path }));
    const admins = ["/api/admin/users", "/admin/users"].map((path, index) =>
      row(10 + index, { path, role: "admin" }),
    );
    const rows = [...noise, ...admins, row(20), row(21, { path: "/about", role: "admin" })];
    const filter = { verdict: null, search: "" };
    expect(numbers(filterRows(rows, { ...filter, hidesNoise: true }))).toEqual([20, 21]);
    expect(filterRows(rows, { ...filter, hidesNoise: false })).toEqual(rows);
  });

  test("always shows what was stopped or noticed, visitors' calls, and files that are not there", () => {
    const rows = [
      row(1, { path: "/assets/a.js", verdict: "limited" }),
      row(2, { path: "/api/admin/users", role: "admin", verdict: "noticed" }),
      row(3, { path: "/api/admin/users", status: 401 }),
      row(4, { path: "/backup.js", status: 404 }),
    ];
    expect(filterRows(rows, { verdict: null, search: "", hidesNoise: true })).toEqual(rows);
  });
});
