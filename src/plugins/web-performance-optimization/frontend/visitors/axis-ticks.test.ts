import { expect, test } from "bun:test";
import { axisTicks } from "./vitals-chart.tsx";

const startsEvery = (ms: number, count: number) =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse("2026-11-20T13:00:00Z") + at * ms).toISOString(),
  );

test("both ends of 24 hours differ, and hours in between name their day", () => {
  const ticks = axisTicks(startsEvery(3_600_000, 24), 1);
  expect(ticks.map(({ index, side }) => [index, side])).toEqual([
    [0, "start"],
    [6, "middle"],
    [12, "middle"],
    [17, "middle"],
    [23, "end"],
  ]);
  expect([ticks[0]?.text, ticks.at(-1)?.text]).toEqual(["24 hours ago", "now"]);
  expect(new Set(ticks.map(({ text }) => text)).size).toBe(5);
  for (const { text } of ticks.slice(1, -1)) expect(text).toMatch(/\p{L}{2}.*\d|\d.*\p{L}{2}/u);
});

test("days are named from the first to the last", () => {
  const ticks = axisTicks(startsEvery(86_400_000, 28), 28);
  expect(ticks.map(({ index }) => index)).toEqual([0, 7, 14, 20, 27]);
  expect(ticks[0]?.text).toContain("20");
  expect(ticks.at(-1)?.text).toContain("17");
});

test("a single bar has a single word, and no bar none", () => {
  expect(axisTicks(startsEvery(1, 1), 7)).toHaveLength(1);
  expect(axisTicks([], 7)).toEqual([]);
});
