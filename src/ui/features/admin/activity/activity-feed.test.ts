import { describe, expect, test } from "bun:test";
import { sampleActivity } from "#api/testing/sample-activity.ts";
import {
  type ActivityPage,
  arrived,
  caughtUp,
  countNewer,
  type Feed,
  leftFor,
  loaded,
  settled,
} from "./activity-feed.ts";
import { noFilters } from "./activity-view.ts";

const pageOf = (ids: number[], total: number, totalIsEstimate = false): ActivityPage => ({
  activities: ids.map((id) => sampleActivity(id)),
  pagination: { total, limit: 3, offset: 0, totalIsEstimate, searchedNewest: null },
});

const feed: Feed = { query: "q", shown: pageOf([9, 8, 7], 9), next: null };
const ids = (page: ActivityPage | null | undefined) => page?.activities.map(({ id }) => id);
const come = (into: Feed | null, newer: number[], isHeld: boolean, query = "q") =>
  arrived(into, { query, activities: newer.map((id) => sampleActivity(id)), isHeld });

describe("a list that grows", () => {
  test("takes arrivals in at the top, counts them and stays as long as its page", () => {
    const grown = come(feed, [10, 11], false);
    expect(ids(grown?.shown)).toEqual([11, 10, 9]);
    expect(grown?.shown.pagination.total).toBe(11);
    expect(grown?.next).toBeNull();
  });

  test("moves nothing under a reader who is in the middle of something, until they ask", () => {
    const held = come(come(feed, [10], true), [11, 12, 13], true);
    expect(ids(held?.shown)).toEqual([9, 8, 7]);
    expect(held?.next && countNewer(held.shown, held.next)).toBe(4);
    expect(ids(held && caughtUp(held).shown)).toEqual([13, 12, 11]);
    expect(held && caughtUp(held).next).toBeNull();
  });

  test("shows what was held back along with the next arrival once the reader is free", () => {
    expect(ids(come(come(feed, [10], true), [11], false)?.shown)).toEqual([11, 10, 9]);
  });

  test("takes nothing twice, and nothing that belongs to another list", () => {
    expect(come(feed, [9, 8], false)).toBe(feed);
    expect(come(feed, [10], false, "other")).toBe(feed);
    expect(come(null, [10], false)).toBeNull();
  });

  test("does not count on from a total that was only estimated", () => {
    const estimated = { ...feed, shown: pageOf([9, 8, 7], 1_000, true) };
    expect(come(estimated, [10], false)?.shown.pagination.total).toBe(1_000);
  });
});

describe("a list that is loaded again", () => {
  test("is held back when it merely grew and its reader is in the middle of something", () => {
    const next = pageOf([15, 14, 13], 15);
    const held = loaded(feed, { query: "q", page: next, isHeld: true });
    expect(held.shown).toBe(feed.shown);
    expect(countNewer(held.shown, next)).toBe(6);
    expect(loaded(feed, { query: "q", page: next, isHeld: false }).shown).toBe(next);
  });

  test("is shown immediately when it is another list or has nothing newer", () => {
    const next = pageOf([15], 1);
    expect(loaded(feed, { query: "other", page: next, isHeld: true }).shown).toBe(next);
    const shorter = pageOf([9, 8], 2);
    expect(loaded(feed, { query: "q", page: shorter, isHeld: true }).shown).toBe(shorter);
    expect(loaded(null, { query: "q", page: next, isHeld: true }).shown).toBe(next);
  });
});

const view = { ...noFilters, page: 2, size: 10, before: 900, activity: null, isLive: false };
const rowsAt = (rows: number, offset: number, totalIsEstimate = false) => ({
  activities: Array.from({ length: rows }, (_, index) => sampleActivity(index + 1)),
  pagination: { total: 69, limit: 10, offset, totalIsEstimate, searchedNewest: null },
});
const left = leftFor(view, { total: 39, totalIsEstimate: false });

describe("the number of rows that a later page belongs to", () => {
  test("is that of the moment when page 1 was left, whatever arrived since", () => {
    expect(settled(rowsAt(10, 10), view, left).total).toBe(39);
    expect(settled(rowsAt(9, 30), { ...view, page: 4 }, left).total).toBe(39);
  });

  test("is the API's on page 1, with other filters and for another moment", () => {
    for (const other of [
      { ...view, before: null },
      { ...view, type: "api_call" },
      { ...view, before: 7 },
    ])
      expect(settled(rowsAt(10, 10), other, left).total).toBe(69);
  });

  test("ends where the last page does if the moment is unknown, unless the count is an estimate", () => {
    expect(settled(rowsAt(9, 30), view, null).total).toBe(39);
    expect(settled(rowsAt(10, 10), view, null).total).toBe(69);
    expect(settled(rowsAt(0, 80), view, null).total).toBe(69);
    expect(settled(rowsAt(9, 30, true), view, null).total).toBe(69);
  });
});
