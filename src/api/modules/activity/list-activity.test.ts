import { describe, expect } from "bun:test";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { factAt, fillActivity, randomFacts } from "#api/testing/fill-activity.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import {
  activitySeverities,
  activityStatuses,
  activityTypes,
  actorKinds,
  isSecurityEvent,
} from "#contract/activity.ts";
import type { Activity } from "./contract.ts";
import { openActivityPages } from "./export-activity.ts";
import { type ActivityFilterQuery, matches, readFilter } from "./filter.ts";
import { listActivity } from "./read-activity.ts";

const seed = testSeed();
const random = createRandom(seed);
const dayMs = 24 * 60 * 60 * 1000;
const rows = 2_500;

const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });
const end = ctx.clock.now();
await fillActivity(ctx, randomFacts(random, { count: rows, end, spanMs: 12 * dayMs }));

const list = (query: ActivityFilterQuery & { limit?: number; offset?: number; before?: number } = {}) =>
  listActivity(ctx, { limit: 25, offset: 0, ...query });
const idsOf = (activities: readonly Activity[]) => activities.map(({ id }) => id);

/** Follows the pages by keyset until they end. */
const walk = async (query: ActivityFilterQuery, limit = 100): Promise<Activity[]> => {
  const walked: Activity[] = [];
  for (;;) {
    const last = walked.at(-1);
    const { activities } = await list({
      ...query,
      limit,
      ...(last === undefined ? {} : { before: last.id }),
    });
    walked.push(...activities);
    if (activities.length < limit) return walked;
  }
};

/** Every row as it was read one page after the other without filters, newest first. */
const all = await walk({});

const some = (words: readonly [string, ...string[]]): string =>
  Array.from({ length: 1 + random.below(3) }, () => random.pick(words)).join(",");

const aDate = (): string => {
  const newest = Date.parse(all[0]?.timestamp ?? "");
  const at = new Date(newest - random.below(14) * dayMs + random.below(dayMs)).toISOString();
  return random.pick([at.slice(0, 10), at, `${at.slice(0, 16)}+02:00`, `${at.slice(0, 10)}T00:00:00Z`]);
};

const aQuery = (): ActivityFilterQuery => {
  const query: ActivityFilterQuery = {
    ...(random.once(3) ? { type: some(activityTypes) } : {}),
    ...(random.once(5) ? { security: random.pick(["true", "false"] as const) } : {}),
    ...(random.once(3) ? { status: some(activityStatuses) } : {}),
    ...(random.once(3) ? { severity: some(activitySeverities) } : {}),
    ...(random.once(4) ? { actorKind: some(actorKinds) } : {}),
    ...(random.once(4) ? { pluginName: some(["core", "firewall", "long-gone", "never-installed"]) } : {}),
    ...(random.once(2) ? { startDate: aDate() } : {}),
    ...(random.once(2) ? { endDate: aDate() } : {}),
  };
  try {
    readFilter(query);
    return query;
  } catch {
    // The end came before the start.
    return aQuery();
  }
};

const countOf = (activities: readonly Activity[], name: (activity: Activity) => string) => {
  const counts: Record<string, number> = {};
  for (const activity of activities) counts[name(activity)] = (counts[name(activity)] ?? 0) + 1;
  return counts;
};

const step = inOrder();

describe("the list of activities", () => {
  step("holds every row once, newest first, numbered without gaps", () => {
    expect(idsOf(all)).toEqual(Array.from({ length: rows }, (_, at) => rows - at));
    const times = all.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
  });

  step(
    "L6: for any combination of filters and dates, total, sums and page are those of a naive count",
    async () => {
      for (let turn = 0; turn < 150; turn += 1) {
        const query = aQuery();
        const offset = random.once(2) ? 0 : random.below(200);
        const limit = 1 + random.below(60);
        const wanted = all.filter((activity) => matches(readFilter(query), activity));
        const { activities, pagination, stats } = await list({ ...query, offset, limit });
        expect({ seed, query, total: pagination.total }).toEqual({ seed, query, total: wanted.length });
        expect({ query, ids: idsOf(activities) }).toEqual({
          query,
          ids: idsOf(wanted.slice(offset, offset + limit)),
        });
        expect(stats).toEqual({
          total: wanted.length,
          byStatus: countOf(wanted, ({ status }) => status),
          bySeverity: countOf(wanted, ({ severity }) => severity),
          byType: countOf(wanted, ({ type }) => type),
          pluginActivity: Object.entries(countOf(wanted, ({ pluginName }) => pluginName))
            .map(([pluginName, count]) => ({ pluginName, count }))
            .sort((one, other) => other.count - one.count || (one.pluginName < other.pluginName ? -1 : 1)),
          securityEvents: wanted.filter(isSecurityEvent).length,
          coversNewest: null,
        });
        expect(pagination).toMatchObject({ limit, offset, totalIsEstimate: false, searchedNewest: null });
      }
    },
    120_000,
  );

  step(
    "L6: pages by offset and by keyset are the same slices, and each row comes once",
    async () => {
      for (let turn = 0; turn < 12; turn += 1) {
        const query = aQuery();
        const wanted = idsOf(all.filter((activity) => matches(readFilter(query), activity)));
        expect({ seed, query, ids: idsOf(await walk(query, 40 + random.below(60))) }).toEqual({
          seed,
          query,
          ids: wanted,
        });
        const pages = await openActivityPages(ctx, readFilter(query));
        const first = await pages.activities({ before: null, limit: 300 });
        const second = await pages.activities({ before: first.at(-1)?.id ?? 1, limit: 300 });
        expect(idsOf([...first, ...second])).toEqual(wanted.slice(0, 600));
      }
    },
    120_000,
  );

  step(
    "L6: a page by keyset holds only what is wanted where as many rows stand below it as are wanted in all",
    async () => {
      const wanted = idsOf(all.filter(({ status }) => status === "failure"));
      const below = wanted.filter((id) => id <= wanted.length);
      const page = await list({ status: "failure", before: wanted.length + 1, limit: 50 });
      expect(below.length).toBeLessThan(wanted.length);
      expect(idsOf(page.activities)).toEqual(below.slice(0, 50));
    },
  );

  step("what a page by keyset is of changes neither total nor sums", async () => {
    const query = { severity: "low", startDate: all.at(-1)?.timestamp ?? "" };
    const { pagination, stats } = await list(query);
    const later = await list({ ...query, before: 800 });
    expect(later.pagination).toEqual(pagination);
    expect(later.stats).toEqual(stats);
    expect(later.activities.every(({ id }) => id < 800)).toBe(true);
  });

  step(
    "is empty without a search where nothing can match: no such plugin, beyond the total, before the " +
      "first row",
    async () => {
      expect(await list({ pluginName: "never-installed" })).toMatchObject({
        activities: [],
        pagination: { total: 0 },
        stats: { total: 0, byStatus: {}, bySeverity: {}, byType: {}, pluginActivity: [], securityEvents: 0 },
      });
      expect((await list({ offset: rows })).activities).toEqual([]);
      expect((await list({ offset: 1_000_000_000, status: "failure" })).activities).toEqual([]);
      expect((await list({ before: 1 })).activities).toEqual([]);
      expect((await list({ before: 1, status: "failure" })).activities).toEqual([]);
      expect(idsOf((await list({ before: 999_999_999_999_999 })).activities)).toEqual(
        idsOf(all.slice(0, 25)),
      );
      expect((await list({ startDate: "9999-12-31" })).pagination.total).toBe(0);
      for (const early of ["1900-01-01", "1969-12-31T23:59:59.999Z", "1970-01-01"]) {
        expect((await list({ endDate: early })).pagination.total).toBe(0);
        expect((await list({ endDate: early, status: "failure" })).pagination.total).toBe(0);
        expect((await list({ startDate: early, endDate: "9999-12-31" })).pagination.total).toBe(rows);
      }
    },
  );

  step("shows what was recorded, whole", async () => {
    const changed = all.find(({ changes }) => changes !== null);
    const number = Number(changed?.description.split("number ")[1]);
    expect(changed?.changes).toEqual({ before: { limit: number }, after: { limit: number + 1 } });
    const visitor = all.find(({ actorKind }) => actorKind === "visitor");
    expect(visitor).toMatchObject({ ip: "203.0.113.7", userAgent: "Browser", userId: null, occurrences: 1 });
    expect(all.some(({ duration }) => duration !== null)).toBe(true);
    expect(all.some(({ userEmail }) => userEmail === "ada@example.test")).toBe(true);
  });
});

describe("while rows arrive", () => {
  step("L6: paging by keyset misses none and repeats none, and the next list has the new ones", async () => {
    const query = { type: "api_call" };
    const before = await walk(query);
    const walked: Activity[] = [];
    for (let page = 0; page < 5; page += 1) {
      const last = walked.at(-1);
      const { activities } = await list({
        ...query,
        limit: 50,
        ...(last === undefined ? {} : { before: last.id }),
      });
      walked.push(...activities);
      await fillActivity(ctx, [
        factAt(ctx.clock.now()),
        factAt(ctx.clock.now(), { pluginName: `new-${page}` }),
      ]);
    }
    expect(idsOf(walked)).toEqual(idsOf(before.slice(0, 250)));
    const { pagination, activities } = await list(query);
    expect(pagination.total).toBe(before.length + 10);
    expect(activities.slice(0, 10).map(({ pluginName }) => pluginName)).toContain("new-4");
    expect((await list({ pluginName: "new-4" })).pagination.total).toBe(1);
  });
});
