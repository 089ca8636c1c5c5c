import { describe, expect, test } from "bun:test";
import { sampleActivity } from "#api/testing/sample-activity.ts";
import { leftFor, settled } from "./activity-feed.ts";
import { noFilters } from "./activity-view.ts";

const view = { ...noFilters, page: 2, size: 10, before: 900, activity: null, isLive: false };
const pageOf = (rows: number, offset: number, totalIsEstimate = false) => ({
  activities: Array.from({ length: rows }, (_, index) => sampleActivity(index + 1)),
  pagination: { total: 69, limit: 10, offset, totalIsEstimate, searchedNewest: null },
});
const left = leftFor(view, { total: 39, totalIsEstimate: false });

describe("the number of rows that a later page belongs to", () => {
  test("is that of the moment when page 1 was left, whatever arrived since", () => {
    expect(settled(pageOf(10, 10), view, left).total).toBe(39);
    expect(settled(pageOf(9, 30), { ...view, page: 4 }, left).total).toBe(39);
  });

  test("is the API's on page 1, with other filters and for another moment", () => {
    for (const other of [
      { ...view, before: null },
      { ...view, type: "api_call" },
      { ...view, before: 7 },
    ])
      expect(settled(pageOf(10, 10), other, left).total).toBe(69);
  });

  test("ends where the last page does if the moment is unknown, unless the count is an estimate", () => {
    expect(settled(pageOf(9, 30), view, null).total).toBe(39);
    expect(settled(pageOf(10, 10), view, null).total).toBe(69);
    expect(settled(pageOf(0, 80), view, null).total).toBe(69);
    expect(settled(pageOf(9, 30, true), view, null).total).toBe(69);
  });
});
