import { expect, test } from "bun:test";
import { relativeTime } from "./relative-time.ts";

const now = Date.parse("2026-11-20T12:00:00.000Z");
const before = (ms: number) => relativeTime(new Date(now - ms).toISOString(), now, "en");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test("a moment is told in its largest whole unit", () => {
  expect(before(minuteMs)).toBe("1 minute ago");
  expect(before(59 * minuteMs)).toBe("59 minutes ago");
  expect(before(hourMs)).toBe("1 hour ago");
  expect(before(26 * hourMs)).toBe("yesterday");
  expect(before(6 * dayMs)).toBe("6 days ago");
  expect(before(7 * dayMs)).toBe("last week");
  expect(before(29 * dayMs)).toBe("4 weeks ago");
  expect(before(300 * dayMs)).toBe("10 months ago");
  expect(before(800 * dayMs)).toBe("2 years ago");
});

test("less than a minute is now, and so is a moment that a wrong clock puts into the future", () => {
  expect(before(0)).toBe("now");
  expect(before(minuteMs - 1)).toBe("now");
  expect(before(-5 * hourMs)).toBe("now");
});

test("the reader's language is spoken", () => {
  expect(relativeTime(new Date(now - 2 * hourMs).toISOString(), now, "de")).toBe("vor 2 Stunden");
});
