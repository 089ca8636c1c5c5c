import { describe, expect, test } from "bun:test";
import { dayOf } from "./moments.ts";

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
