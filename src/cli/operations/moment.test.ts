import { describe, expect, test } from "bun:test";
import { InvalidArgumentError } from "commander";
import { readMoment } from "./typed-values.ts";

const now = new Date("2026-11-20T18:40:12.345Z");

describe("a date, a moment or a span in an option", () => {
  test.each([
    ["2026-01-31", "2026-01-31"],
    [" 2024-02-29 ", "2024-02-29"],
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
    ["2026-01-31t12:00z", "2026-01-31T12:00Z"],
    ["2026-01-31 12:00", "2026-01-31T12:00Z"],
    ["2026-01-31T12:00:00.5+02:00", "2026-01-31T12:00:00.5+02:00"],
    ["30s", "2026-11-20T18:39:42.345Z"],
    ["90m", "2026-11-20T17:10:12.345Z"],
    ["24h", "2026-11-19T18:40:12.345Z"],
    ["7d", "2026-11-13T18:40:12.345Z"],
    ["2w", "2026-11-06T18:40:12.345Z"],
    ["0d", "2026-11-20T18:40:12.345Z"],
  ])("%s is %s", (text, meant) => {
    expect(readMoment(text, now)).toBe(meant);
  });

  test.each(
    [
      ["", "yesterday", "7", "7 d", "7y", "-7d", "1.5h", "9999999d", "999999w"],
      ["2026-02-30", "2026-13-01", "2026-1-1", "20260131", "2026-02-30T12:00Z"],
      ["2026-01-31T25:00", "2026-01-31T12", "2026-01-31T12:00+2", "1899-12-31", "2026-01-31T12:00Z junk"],
    ].flat(),
  )("is not %p", (text) => {
    expect(() => readMoment(text, now)).toThrow(InvalidArgumentError);
  });
});
