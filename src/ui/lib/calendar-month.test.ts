import { afterEach, describe, expect, test } from "bun:test";
import { addDays, addMonths, clampDay, dayWriter, firstWeekday, isInRange, monthWeeks } from "./calendar.ts";

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
