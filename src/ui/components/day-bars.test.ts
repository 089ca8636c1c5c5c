import { describe, expect, test } from "bun:test";
import { barHeights, dayCountWriter } from "./day-bars.tsx";

const day = (total: number, failures = 0) => ({ date: "2026-11-21", total, failures });

describe("a day's numbers", () => {
  test("are said with what failed, and without when nothing did", () => {
    const write = dayCountWriter("en-GB");
    expect(write(day(124, 3))).toBe("21 November: 124, 3 failed");
    expect(write(day(1240))).toBe("21 November: 1,240");
    expect(write(day(0))).toBe("21 November: 0");
  });

  test("are said as the reader's language writes days and numbers", () => {
    expect(dayCountWriter("de")(day(1240, 1000))).toBe("21. November: 1.240, 1.000 failed");
  });
});

describe("a bar", () => {
  test("is as high as its share of the highest, which fills the chart", () => {
    expect(barHeights(day(100, 25), 100)).toEqual({ total: 100, failures: 25 });
    expect(barHeights(day(25), 100)).toEqual({ total: 25, failures: 0 });
  });

  test("is seen however little it is, and only nothing is nothing", () => {
    expect(barHeights(day(10_000, 1), 10_000)).toEqual({ total: 100, failures: 4 });
    expect(barHeights(day(1, 1), 1_000_000)).toEqual({ total: 4, failures: 4 });
    expect(barHeights(day(0), 10)).toEqual({ total: 0, failures: 0 });
    expect(barHeights(day(0), 0)).toEqual({ total: 0, failures: 0 });
  });
});
