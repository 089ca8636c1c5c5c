import { describe, expect, test } from "bun:test";
import { readTypedDay } from "./calendar.ts";

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
