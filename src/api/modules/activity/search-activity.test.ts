import { describe, expect, test } from "bun:test";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { activityTexts } from "#contract/activity.ts";
import type { Activity } from "./contract.ts";
import type { ActivityFilterQuery } from "./filter.ts";
import { listActivity } from "./read-activity.ts";

const hourAgo = Date.now() - 3_600_000;
const startOf = (at: number) => new Date(hourAgo + at * 1_000);
const database = await databaseForFile();
const ctx = testContext({ db: database.db, actor: { kind: "operator" } });
const special = [
  factAt(startOf(0), { action: "Saved 100%_sure" }),
  factAt(startOf(1), { action: "Saved 100 percent sure" }),
  factAt(startOf(2), { description: "a back\\slash and a 'quote'; drop table activities --" }),
  factAt(startOf(3), { description: "Grüße aus KÖLN" }),
  factAt(startOf(4), { description: "plain", userEmail: "Grace@Navy.example" }),
  { ...factAt(startOf(5)), source: { ...factAt(startOf(5)).source, ip: "203.0.113.99" } },
  factAt(startOf(6), { action: "Two words", description: "then more" }),
  {
    ...factAt(startOf(7), { pluginName: "guest-book", type: "plugin_hot_reloaded", severity: "critical" }),
    source: { ...factAt(startOf(7)).source, requestId: "5f3a9c1e-77aa-4b1c-8d2e-0123456789ab" },
  },
];
const common = Array.from({ length: 1_100 }, (_, at) =>
  factAt(startOf(10 + at), {
    action: "Throttled",
    description: `number ${at}`,
    status: at % 2 === 0 ? "failure" : "success",
  }),
);
await fillActivity(ctx, [...special, ...common]);

const list = (query: ActivityFilterQuery & { limit?: number; offset?: number; before?: number }) =>
  listActivity(ctx, { limit: 25, offset: 0, ...query });
const idsOf = (activities: readonly Activity[]) => activities.map(({ id }) => id);
const found = async (search: string) => idsOf((await list({ search })).activities);

describe("a search", () => {
  test("L6: finds the very text that was typed, whatever its signs mean to SQL", async () => {
    expect(await found("100%_sure")).toEqual([1]);
    expect(await found("100%")).toEqual([1]);
    expect(await found("%_s")).toEqual([1]);
    expect(await found("back\\slash")).toEqual([3]);
    expect(await found("\\")).toEqual([3]);
    expect(await found("%")).toEqual([1]);
    expect(await found("_")).toEqual([1]);
    expect(await found("'quote'; drop table activities --")).toEqual([3]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found("100__sure")).toEqual([]);
  });

  test("looks in actions, descriptions, email and IP addresses, ignoring case", async () => {
    expect(await found("  percent SURE ")).toEqual([2]);
    expect(await found("grace@navy")).toEqual([5]);
    expect(await found("203.0.113.99")).toEqual([6]);
    expect(await found("grüße AUS")).toEqual([4]);
    expect(await found("two words\nthen")).toEqual([7]);
  });

  test("looks into plugins, types, severities and the beginning of request ids too", async () => {
    for (const text of ["guest-b", "GUEST", "plugin_hot", "Hot reloaded", "critic", "5f3a9c1e-77", "5F3A9"])
      expect([text, await found(text)]).toEqual([text, [8]]);
    expect(await found("77aa-4b1c")).toEqual([]);
    const { pagination, stats } = await list({ search: "guest-book", severity: "low,critical" });
    expect([pagination.total, stats.byType]).toEqual([1, { plugin_hot_reloaded: 1 }]);
    expect((await list({ search: "guest-book", severity: "low" })).pagination.total).toBe(0);
  });

  test("of up to 1,000 matches has an exact total, and goes with the other filters", async () => {
    const { pagination, stats } = await list({ search: "throttled", status: "failure" });
    expect(pagination).toEqual({
      total: 550,
      limit: 25,
      offset: 0,
      totalIsEstimate: false,
      searchedNewest: null,
    });
    expect(stats).toMatchObject({ total: 550, byStatus: { failure: 550 }, coversNewest: null });
    const late = await list({
      search: "throttled",
      startDate: startOf(1_060).toISOString(),
      endDate: "9999-12-31",
    });
    expect(late.pagination.total).toBe(50);
    expect((await list({ search: "throttled", pluginName: "never-installed" })).pagination.total).toBe(0);
  });

  test("of more than 1,000 matches counts the newest 1,000 and says so", async () => {
    const { activities, pagination, stats } = await list({ search: "throttled", limit: 3 });
    expect(idsOf(activities)).toEqual([1_108, 1_107, 1_106]);
    expect(pagination).toMatchObject({ total: 1_000, totalIsEstimate: true, searchedNewest: null });
    expect(stats).toMatchObject({
      total: 1_000,
      byStatus: { failure: 500, success: 500 },
      byType: { api_call: 1_000 },
      pluginActivity: [{ pluginName: "core", count: 1_000 }],
      coversNewest: 1_000,
    });
  });

  test("is read to its end by keyset, each match once, with the same total on every page", async () => {
    const walked: number[] = [];
    for (;;) {
      const before = walked.at(-1);
      const { activities, pagination } = await list({
        search: "throttled",
        limit: 100,
        ...(before === undefined ? {} : { before }),
      });
      expect(pagination.total).toBe(1_000);
      walked.push(...idsOf(activities));
      if (activities.length < 100) break;
    }
    expect(walked).toEqual(Array.from({ length: 1_100 }, (_, at) => 1_108 - at));
  });

  test("L6: accepts offsets within the counted matches, and says how to continue beyond them", async () => {
    const page = async (offset: number) =>
      idsOf((await list({ search: "throttled", offset, limit: 10 })).activities);
    expect(await page(500)).toEqual(Array.from({ length: 10 }, (_, at) => 608 - at));
    expect(await page(995)).toEqual(Array.from({ length: 10 }, (_, at) => 113 - at));
    expect(await page(1_000)).toEqual(Array.from({ length: 10 }, (_, at) => 108 - at));
    expect(await failureOf(page(1_001))).toMatchObject({
      kind: "VALIDATION_FAILED",
      errors: [{ path: "offset", message: activityTexts.offsetBeyondSearch }],
    });
    expect(idsOf((await list({ search: "percent", offset: 1_000_000_000 })).activities)).toEqual([]);
  });

  test("for less than three letters or digits looks at the newest 10,000 rows and says so", async () => {
    for (const search of ["th", "é", "%_\\", "a.b", "--------"]) {
      const { pagination } = await list({ search });
      expect([search, pagination.searchedNewest]).toEqual([search, 10_000]);
    }
    expect((await list({ search: "wo" })).pagination).toMatchObject({ total: 1, totalIsEstimate: false });
    expect((await list({ search: "e. 1" })).pagination.searchedNewest).toBe(10_000);
    expect((await list({ search: "10.0.0.1" })).pagination.searchedNewest).toBeNull();
    expect((await list({ search: "   " })).pagination).toMatchObject({ total: 1_108, searchedNewest: null });
  });
});
