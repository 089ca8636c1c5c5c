import { describe, expect, test } from "bun:test";
import type { PatternRow } from "../../backend/wire.ts";
import { groupPatterns, readPatternFilter } from "./pattern-filter.ts";

const pattern = (id: number, more: Partial<PatternRow> = {}): PatternRow => ({
  ...{ id, title: `Pattern ${id}`, category: "sql-injection", paranoia: 1, score: 5 },
  ...{ isOn: true, isInForce: true, hits: 0, ...more },
});

const patterns = [
  pattern(942_100, { title: "A query in a parameter", hits: 3 }),
  pattern(941_100, { category: "cross-site-scripting", isOn: false, isInForce: false }),
  pattern(942_200, { paranoia: 3, isInForce: false }),
];

const shown = (query: string) =>
  groupPatterns(patterns, readPatternFilter(new URLSearchParams(query))).map(({ category, patterns }) => [
    category,
    patterns.map(({ id }) => id),
  ]);

describe("the list of patterns", () => {
  test("has each pattern under its category", () => {
    expect(shown("")).toEqual([
      ["sql-injection", [942_100, 942_200]],
      ["cross-site-scripting", [941_100]],
    ]);
  });

  test("is narrowed down to those switched off, found, or above the level; no category stands empty", () => {
    expect(shown("show=off")).toEqual([["cross-site-scripting", [941_100]]]);
    expect(shown("show=found")).toEqual([["sql-injection", [942_100]]]);
    expect(shown("show=idle")).toEqual([["sql-injection", [942_200]]]);
    expect(shown("show=nonsense")).toHaveLength(2);
  });

  test("is searched by name and by the beginning of the number", () => {
    expect(shown("search=QUERY")).toEqual([["sql-injection", [942_100]]]);
    expect(shown("search=941")).toEqual([["cross-site-scripting", [941_100]]]);
    expect(shown("search=zzz")).toEqual([]);
  });
});
