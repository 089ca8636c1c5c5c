import { describe, expect, test } from "bun:test";
import { noFilters } from "./activity-view.ts";
import { leftFor, settled } from "./left-page.ts";

const view = { ...noFilters, page: 2, size: 10, before: 900, activity: null, isLive: false };
const row = {
  id: 1,
  timestamp: "2026-11-05T10:00:00.000Z",
  pluginName: "core",
  type: "api_call",
  action: "Call",
  description: "",
  status: "success",
  severity: "low",
  actorKind: "system",
  userId: null,
  userEmail: null,
  duration: null,
  occurrences: 1,
  requestId: null,
  ip: null,
  userAgent: null,
  changes: null,
} as const;
const pageOf = (rows: number, offset: number, totalIsEstimate = false) => ({
  activities: Array.from({ length: rows }, () => row),
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

  test("ends where the last page does when nobody knows the moment, unless the count is a guess", () => {
    expect(settled(pageOf(9, 30), view, null).total).toBe(39);
    expect(settled(pageOf(10, 10), view, null).total).toBe(69);
    expect(settled(pageOf(0, 80), view, null).total).toBe(69);
    expect(settled(pageOf(9, 30, true), view, null).total).toBe(69);
  });
});
