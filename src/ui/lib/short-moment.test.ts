import { expect, test } from "bun:test";
import { shortMoment } from "./moments.ts";

test("a moment is told by its day and minute, as the reader's language does", () => {
  const moment = new Date(2030, 10, 20, 22, 41).toISOString();
  expect(shortMoment(moment, "en-US").replaceAll("\u202f", " ")).toBe("Nov 20, 10:41 PM");
  expect(shortMoment(moment, "de")).toContain("22:41");
});
