import { afterEach, describe, expect, test } from "bun:test";
import {
  addDays,
  addMonths,
  clampDay,
  dayByKey,
  dayWriter,
  firstWeekday,
  isInRange,
  monthWeeks,
  readTypedDay,
  viewRows,
} from "./calendar.ts";

const monday = 1;
const sunday = 7;

describe("days", () => {
  test("follow each other over the ends of months, years and leap Februaries", () => {
    expect(addDays("2026-01-31", 1)).toBe("2026-02-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  });

  test("are not shifted where clocks are put forward or back", () => {
    expect(addDays("2026-03-28", 1)).toBe("2026-03-29");
    expect(addDays("2026-03-29", 1)).toBe("2026-03-30");
    expect(addDays("2026-10-25", 7)).toBe("2026-11-01");
  });

  test("keep their number from month to month, or become the month's last", () => {
    expect(addMonths("2026-11-21", 1)).toBe("2026-12-21");
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2026-03-31", -1)).toBe("2026-02-28");
    expect(addMonths("2028-02-29", 12)).toBe("2029-02-28");
    expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
  });
});

describe("a month's weeks", () => {
  test("are six, begin on the first weekday and hold each of its days once", () => {
    for (const first of [monday, 6, sunday]) {
      for (let month = "2024-01-15"; month < "2029-01-01"; month = addMonths(month, 1)) {
        const weeks = monthWeeks(month, first);
        const days = weeks.flat();
        expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
        expect(new Set(days).size).toBe(42);
        expect(weeks.every(([day = ""]) => new Date(day).getUTCDay() === first % 7)).toBe(true);
        const last = addDays(addMonths(`${month.slice(0, 7)}-01`, 1), -1);
        const own = days.filter((day) => day.startsWith(month.slice(0, 7)));
        expect([own.length, own.at(-1)]).toEqual([Number(last.slice(8)), last]);
        expect(weeks[0]).toContain(`${month.slice(0, 7)}-01`);
      }
    }
  });

  test("are all different days at the calendar's ends too, and those beyond may not be chosen", () => {
    const late = monthWeeks("2099-12-31", monday).flat();
    const early = monthWeeks("1900-01-01", monday).flat();
    expect(new Set(late).size).toBe(42);
    expect(late.filter((day) => isInRange(day, {})).at(-1)).toBe("2099-12-31");
    expect(early.filter((day) => isInRange(day, {}))[0]).toBe("1900-01-01");
    expect(clampDay(addMonths("2099-12-31", 1), {})).toBe("2099-12-31");
    expect(clampDay(addMonths("1900-01-01", -12), {})).toBe("1900-01-01");
  });
});

describe("what may be chosen", () => {
  test("goes from the first to the last day, both included", () => {
    const range = { min: "2026-11-05", max: "2026-11-20" };
    expect(isInRange("2026-11-05", range)).toBe(true);
    expect(isInRange("2026-11-20", range)).toBe(true);
    expect(isInRange("2026-11-04", range)).toBe(false);
    expect(isInRange("2026-11-21", range)).toBe(false);
    expect(clampDay("2026-01-01", range)).toBe("2026-11-05");
    expect(clampDay("2027-01-01", range)).toBe("2026-11-20");
  });

  test("ends with 1900 or 2099 on a side that is not given, and where a side that is given says so", () => {
    expect(isInRange("1900-01-01", { max: "2026-11-20" })).toBe(true);
    expect(isInRange("1899-12-31", { max: "2026-11-20" })).toBe(false);
    expect(isInRange("2099-12-31", { min: "2026-11-20" })).toBe(true);
    expect(isInRange("2100-01-01", { min: "2026-11-20" })).toBe(false);
    expect(isInRange("1850-01-01", { min: "1850-01-01" })).toBe(true);
    expect(isInRange("9999-12-31", { max: "9999-12-31" })).toBe(true);
  });
});

test("weeks start on the language's first day of the week", () => {
  expect(firstWeekday("de-DE")).toBe(monday);
  expect(firstWeekday("en-US")).toBe(sunday);
  expect(firstWeekday("ar-EG")).toBe(6);
});

describe("a day in words", () => {
  const zone = process.env.TZ ?? "";
  afterEach(() => {
    process.env.TZ = zone;
  });

  test.each(["Pacific/Honolulu", "UTC", "Pacific/Kiritimati"])("is the same day in %s", (elsewhere) => {
    process.env.TZ = elsewhere;
    expect(dayWriter("en-GB", { dateStyle: "full" })("2026-11-21")).toBe("Saturday, 21 November 2026");
  });
});

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

describe("a typed date", () => {
  test.each([
    ["2026-01-31", "2026-01-31"],
    [" 2026-1-3 ", "2026-01-03"],
    ["2026/01/31", "2026-01-31"],
    ["2026.1.31", "2026-01-31"],
    ["20260131", "2026-01-31"],
    ["31.1.2026", "2026-01-31"],
    ["31. 1. 2026", "2026-01-31"],
    ["03.04.2026", "2026-04-03"],
    ["31/1/2026", "2026-01-31"],
    ["1/31/2026", "2026-01-31"],
    ["31-01-2026", "2026-01-31"],
    ["5/5/2026", "2026-05-05"],
    ["29.2.2028", "2028-02-29"],
  ])("written as %p is %s", (text, day) => {
    expect(readTypedDay(text)).toEqual({ day, problem: null });
  });

  test("that is two days, by the order of day and month, is left to its writer", () => {
    expect(readTypedDay("3/4/2026")).toEqual({
      day: null,
      problem: "Enter 2026-04-03 or 2026-03-04: this date could mean either",
    });
    expect(readTypedDay("03-04-2026").day).toBeNull();
  });

  test.each([
    "2026-02-30",
    "29.2.2026",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "13/13/2026",
    "0026-01-31",
    "26-01-31",
    "2026-01",
    "2026111",
    "2026-01/31",
    "31.1.26",
    "2026-01-31T10:00",
    "tomorrow",
    "2026-01-31 x",
    "",
  ])("%p is refused with how to write it", (text) => {
    expect(readTypedDay(text)).toEqual({ day: null, problem: "Enter the date as 2026-01-31" });
  });
});
