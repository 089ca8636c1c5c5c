import { describe, expect, test } from "bun:test";
import { allOf, groupMinutes, stoppedOf } from "./minute-chart.tsx";

const minute = (at: string, more: object = {}) => ({
  ...{ passed: 1, blocked: 0, wouldBlock: 0, limited: 0, spared: 0, ...more },
  at: `2026-11-21T${at}:00.000Z`,
});

describe("the minutes of the chart", () => {
  test("are gathered by the clock, not by where the list begins, and lose nothing", () => {
    const minutes = ["09:58", "09:59", "10:00", "10:01"].map((at) => minute(at, { blocked: 2 }));
    const groups = groupMinutes(minutes, 15);
    expect(groups.map(({ at, passed, blocked }) => [at.slice(11, 16), passed, blocked])).toEqual([
      ["09:45", 2, 4],
      ["10:00", 2, 4],
    ]);
  });

  test("stay as they are where a bar is a minute", () => {
    const minutes = [minute("10:00"), minute("10:01", { limited: 3 })];
    expect(groupMinutes(minutes, 1)).toEqual(minutes);
  });

  test("count every request once, and as stopped what was refused", () => {
    const counts = { passed: 1, blocked: 2, wouldBlock: 4, limited: 8, spared: 16 };
    expect(allOf(counts)).toBe(31);
    expect(stoppedOf(counts)).toBe(10);
  });
});
