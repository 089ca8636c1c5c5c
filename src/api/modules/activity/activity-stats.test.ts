import { beforeAll, describe, expect, test } from "bun:test";
import { testContext } from "#api/testing/context.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { factAt, fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import { isSecurityEvent } from "#contract/activity.ts";
import type { Activity } from "./contract.ts";
import { daySpan, matches, readFilter } from "./filter.ts";
import { activityDays, activityStats, getActivity } from "./read-activity.ts";
import { selectActivitiesAfter } from "./store.ts";

const seed = testSeed();
const dayMs = 24 * 60 * 60 * 1000;

const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });

const readAll = () => selectActivitiesAfter(database.db, 0, 10_000);
const countOf = (rows: readonly Activity[], name: "status" | "severity" | "type") => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row[name]] = (counts[row[name]] ?? 0) + 1;
  return counts;
};

test("of an empty log all numbers are 0 and every day is there", async () => {
  const empty = await openTestDatabase();
  const reader = testContext({ db: empty.db, actor: { kind: "operator" } });
  expect(await activityStats(reader, {})).toEqual({
    ...{ total: 0, last24Hours: 0, failures: 0, securityEvents: 0 },
    ...{ byStatus: {}, bySeverity: {}, byType: {}, pluginActivity: [], coversNewest: null },
  });
  const { days } = await activityDays(reader, { days: 366 });
  expect(days).toHaveLength(366);
  expect(days.at(-1)).toEqual({
    date: reader.clock.now().toISOString().slice(0, 10),
    ...{ total: 0, failures: 0, securityEvents: 0 },
  });
  await empty.close();
});

describe("of a log with rows", () => {
  beforeAll(async () => {
    const facts = randomFacts(createRandom(seed), { count: 600, end: ctx.clock.now(), spanMs: 5 * dayMs });
    await fillActivity(ctx, facts);
  });

  test("days of security events hold those alone", async () => {
    const { days } = await activityDays(ctx, { days: 10, security: "true" });
    const total = (await readAll()).filter(isSecurityEvent).length;
    expect(total).toBeGreaterThan(0);
    expect(days.reduce((sum, day) => sum + day.total, 0)).toBe(total);
    expect(days.every(({ total: all, securityEvents }) => all === securityEvents)).toBe(true);
  });

  test("filters narrow every number, those of the last day too", async () => {
    const rows = await readAll();
    const dayAgo = ctx.clock.now().getTime() - dayMs;
    const middle = rows[Math.floor(rows.length / 2)]?.timestamp ?? "";
    for (const filter of [
      { status: "failure" },
      { pluginName: "firewall", severity: "low,high" },
      { security: "true" },
      { startDate: middle },
      { endDate: middle },
      { search: "firewall", type: "api_call" },
    ] as const) {
      const wanted = rows.filter((row) => matches(readFilter(filter), row));
      expect({ filter, ...(await activityStats(ctx, filter)) }).toMatchObject({
        filter,
        total: wanted.length,
        last24Hours: wanted.filter(({ timestamp }) => Date.parse(timestamp) >= dayAgo).length,
        failures: wanted.filter(({ status }) => status === "failure").length,
        securityEvents: wanted.filter(isSecurityEvent).length,
        bySeverity: countOf(wanted, "severity"),
        coversNewest: null,
      });
    }
  });

  test("the tiles are those of a naive count", async () => {
    const rows = await readAll();
    const dayAgo = ctx.clock.now().getTime() - dayMs;
    expect(await activityStats(ctx, {})).toMatchObject({
      total: rows.length,
      last24Hours: rows.filter(({ timestamp }) => Date.parse(timestamp) >= dayAgo).length,
      failures: rows.filter(({ status }) => status === "failure").length,
      securityEvents: rows.filter(isSecurityEvent).length,
      byStatus: countOf(rows, "status"),
      bySeverity: countOf(rows, "severity"),
      byType: countOf(rows, "type"),
    });
  });

  test.each([
    [{}],
    [{ severity: "critical,high" }],
    [{ pluginName: "never-installed" }],
    [{ type: "api_call" }],
  ])("the days of %j are those of a naive count, the oldest first, today last", async (query) => {
    const rows = (await readAll()).filter((row) =>
      Object.entries(query).every(([name, words]) =>
        String(Reflect.get(row, name) && words)
          .split(",")
          .includes(String(Reflect.get(row, name))),
      ),
    );
    const today = Math.floor(ctx.clock.now().getTime() / dayMs);
    const wanted = Array.from({ length: 9 }, (_, at) => {
      const date = new Date((today - 8 + at) * dayMs).toISOString().slice(0, 10);
      const ofDay = rows.filter(({ timestamp }) => timestamp.startsWith(date));
      return {
        date,
        total: ofDay.length,
        failures: ofDay.filter(({ status }) => status === "failure").length,
        securityEvents: ofDay.filter(isSecurityEvent).length,
      };
    });
    expect(await activityDays(ctx, { ...query, days: 9 })).toEqual({ days: wanted });
    expect(await activityDays(ctx, { ...query, days: 1 })).toEqual({ days: wanted.slice(-1) });
  });

  test("what was recorded a moment ago is counted, even of a new kind", async () => {
    const before = await activityStats(ctx, {});
    ctx.activity.note(factAt(ctx.clock.now(), { pluginName: "brand-new", status: "failure" }));
    const after = await activityStats(ctx, {});
    expect([after.total, after.failures, after.last24Hours]).toEqual([
      before.total + 1,
      before.failures + 1,
      before.last24Hours + 1,
    ]);
    expect(after.pluginActivity).toContainEqual({ pluginName: "brand-new", count: 1 });
  });

  test("one activity is read by its id; what is none is not found", async () => {
    const [first] = await readAll();
    expect(await getActivity(ctx, { id: "1" })).toEqual(first as Activity);
    for (const id of ["0", "-1", "01", "1.0", "1e3", "none", "999999999999999", "9".repeat(40), "1 "]) {
      expect(await failureOf(getActivity(ctx, { id }))).toMatchObject({ kind: "NOT_FOUND" });
    }
  });
});

const dayLengthMs = 24 * 60 * 60 * 1000;
const hourMs = dayLengthMs / 24;
const days = 6;

/** Counts rows as the database does, once by whole days and corrections and once by looking at each. */
const countTwice = (times: number[], fromMs: number | null, toMs: number | null) => {
  const { firstDay, endDay, corrections } = daySpan(fromMs, toMs);
  const within = (from: number | null, to: number | null) =>
    times.filter((ms) => (from === null || ms >= from) && (to === null || ms < to)).length;
  const whole = within(
    firstDay === null ? null : firstDay * dayLengthMs,
    endDay === null ? null : endDay * dayLengthMs,
  );
  const corrected = corrections.reduce(
    (sum, part) => sum + part.sign * within(part.fromMs, part.toMs),
    whole,
  );
  return [corrected, within(fromMs, toMs)];
};

test("whole days and corrections count exactly the rows between two moments", () => {
  const seed = testSeed();
  const random = createRandom(seed);
  const times = Array.from({ length: 400 }, () => random.below(days * 48) * (hourMs / 2));
  const moment = () =>
    random.once(4) ? random.below(days + 1) * dayLengthMs : random.below(days * 48) * (hourMs / 2);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const [one, other] = [moment(), moment()];
    const fromMs = random.once(5) ? null : Math.min(one, other);
    const toMs = random.once(5) ? null : Math.max(one, other) + 1;
    const [counted, wanted] = countTwice(times, fromMs, toMs);
    expect([seed, fromMs, toMs, counted]).toEqual([seed, fromMs, toMs, wanted]);
  }
});

test("days that begin and end at midnight are counted by days alone", () => {
  expect(daySpan(2 * dayLengthMs, 5 * dayLengthMs)).toEqual({ firstDay: 2, endDay: 5, corrections: [] });
  expect(daySpan(null, null)).toEqual({ firstDay: null, endDay: null, corrections: [] });
});

test("at each end half a day at most is counted one by one, and of a short span no more than itself", () => {
  const { corrections } = daySpan(2 * dayLengthMs + 11 * hourMs, 5 * dayLengthMs + 13 * hourMs);
  expect(corrections).toEqual([
    { sign: -1, fromMs: 2 * dayLengthMs, toMs: 2 * dayLengthMs + 11 * hourMs },
    { sign: -1, fromMs: 5 * dayLengthMs + 13 * hourMs, toMs: 6 * dayLengthMs },
  ]);
  expect(daySpan(2 * dayLengthMs + hourMs, 2 * dayLengthMs + 2 * hourMs)).toEqual({
    firstDay: 0,
    endDay: 0,
    corrections: [{ sign: 1, fromMs: 2 * dayLengthMs + hourMs, toMs: 2 * dayLengthMs + 2 * hourMs }],
  });
});
