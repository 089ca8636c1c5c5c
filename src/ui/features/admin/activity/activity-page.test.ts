import { expect, test } from "bun:test";
import { openPages } from "#ui/testing/pages.ts";
import type { Call } from "#ui/testing/scripted-api.ts";

const open = openPages();

const activity = "GET /api/admin/activity";
const statsOf = ({ query }: Call) => {
  const isWhole = query === "";
  const total = isWhole ? 9_000 : 70;
  const pluginActivity = [{ pluginName: isWhole ? "guest-book" : "core", count: 1 }];
  const counts = { last24Hours: 2, failures: 3, securityEvents: 4, pluginActivity };
  return { data: { total, coversNewest: query.includes("search") ? total : null, ...counts } };
};
const answers = {
  [activity]: {
    data: {
      activities: [],
      pagination: { total: 0, totalIsEstimate: false, limit: 25, offset: 0, searchedNewest: null },
    },
  },
  [`${activity}/stats`]: statsOf,
  [`${activity}/days`]: { data: { days: [] } },
};
const openActivity = (query: string) => open(`/admin/activity${query}`, { as: "admin", answers });

test("the numbers follow the filters in force, and all plugins can be chosen still", async () => {
  const page = await openActivity("");
  await page.shows("9,000");
  await page.choose("Status", "Failure");
  await page.shows("70");
  expect(page.calls(`${activity}/stats`).at(-1)?.query).toBe("status=failure");
  expect(page.has("guest-book")).toBe(true);
  await page.fill("Search", "disk");
  await page.shows("70+");
});

test("filters that have no such value are named, and leave the address", async () => {
  const page = await openActivity("?type=dance&status=failure,fine&severity=high");
  await page.shows(/type=dance and status=failure,fine$/);
  await page.isAt("/admin/activity?status=failure&severity=high");
  expect(page.calls(activity).at(-1)?.query).toBe("status=failure&severity=high&limit=25&offset=0");
  await page.choose("Severity", "Low");
  await page.hides(/type=dance/);
});
