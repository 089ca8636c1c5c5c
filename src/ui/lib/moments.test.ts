import { describe, expect, test } from "bun:test";
import { dayOf, shortMoment } from "./moments.ts";

test("a moment is told by its day and minute, as the reader's language does", () => {
  const moment = new Date(2030, 10, 20, 22, 41).toISOString();
  expect(shortMoment(moment, "en-US").replaceAll("\u202f", " ")).toBe("Nov 20, 10:41 PM");
  expect(shortMoment(moment, "de")).toContain("22:41");
});

describe("the day of an instant", () => {
  test("is written out in the page's language", () => {
    const instant = new Date(2026, 10, 5, 12);
    expect(dayOf(instant, "en").text).toBe("November 5, 2026");
    expect(dayOf(instant, "de").text).toBe("5. November 2026");
  });

  test("is the reader's own day, from its first minute to its last", () => {
    expect(dayOf(new Date(2026, 0, 9, 0, 0), "en").iso).toBe("2026-01-09");
    expect(dayOf(new Date(2026, 0, 9, 23, 59), "en").iso).toBe("2026-01-09");
  });
});
