import { describe, expect, test } from "bun:test";
import { dayByKey, viewRows } from "./calendar.ts";

const layout = { perRow: 3, firstWeekday: 1 };
const years = (rows: string[][]) => rows.map((row) => row.map((day) => Number(day.slice(0, 4))));

describe("the years of a calendar", () => {
  test("are all of 1900 to 2099, three to a row, also where a part of them may be chosen", () => {
    const all = Array.from({ length: 200 }, (_, index) => 1900 + index);
    for (const range of [{}, { min: "2020-05-01", max: "2026-11-20" }]) {
      const rows = years(viewRows("year", "2026-11-21", { ...layout, ...range }));
      expect(rows.flat()).toEqual(all);
      expect(rows.slice(0, -1).every((row) => row.length === 3)).toBe(true);
    }
  });

  test("reach as far as the days that may be chosen do", () => {
    const range = { min: "1850-01-01", max: "2150-01-01" };
    const all = years(viewRows("year", "2026-11-21", { ...layout, ...range })).flat();
    expect([all[0], all.at(-1)]).toEqual([1850, 2150]);
  });

  test("lead to the same day of theirs, or the month's last", () => {
    const all = viewRows("year", "2028-02-29", layout).flat();
    expect(all).toContain("2026-02-28");
    expect(all).toContain("2032-02-29");
  });
});

test("the months of a calendar are those of its year, as many to a row as wanted", () => {
  expect(viewRows("month", "2026-03-31", layout)).toEqual([
    ["2026-01-31", "2026-02-28", "2026-03-31"],
    ["2026-04-30", "2026-05-31", "2026-06-30"],
    ["2026-07-31", "2026-08-31", "2026-09-30"],
    ["2026-10-31", "2026-11-30", "2026-12-31"],
  ]);
  expect(viewRows("month", "2026-03-31", { ...layout, perRow: 4 })).toHaveLength(3);
});

describe("a key leads", () => {
  const led = (view: "year" | "month" | "day", key: string, shiftKey = false) =>
    dayByKey({ key, shiftKey }, view, "2026-11-21", viewRows(view, "2026-11-21", layout));

  test.each([
    ["ArrowLeft", "2025-11-21"],
    ["ArrowRight", "2027-11-21"],
    ["ArrowUp", "2023-11-21"],
    ["ArrowDown", "2029-11-21"],
    ["Home", "2026-11-21"],
    ["End", "2028-11-21"],
    ["PageUp", "2008-11-21"],
    ["PageDown", "2044-11-21"],
  ])("among years by %s to %s", (key, day) => {
    expect(led("year", key)).toBe(day);
  });

  test.each([
    ["ArrowLeft", "2026-10-21"],
    ["ArrowDown", "2027-02-21"],
    ["Home", "2026-10-21"],
    ["End", "2026-12-21"],
    ["PageUp", "2025-11-21"],
  ])("among months by %s to %s", (key, day) => {
    expect(led("month", key)).toBe(day);
  });

  test.each([
    ["ArrowLeft", "2026-11-20"],
    ["ArrowUp", "2026-11-14"],
    ["Home", "2026-11-16"],
    ["End", "2026-11-22"],
    ["PageDown", "2026-12-21"],
  ])("among days by %s to %s", (key, day) => {
    expect(led("day", key)).toBe(day);
  });

  test("among days with Shift by years, and nowhere when it is another", () => {
    expect(led("day", "PageUp", true)).toBe("2025-11-21");
    expect(led("day", "a")).toBeNull();
    expect(led("year", "Tab")).toBeNull();
  });
});
