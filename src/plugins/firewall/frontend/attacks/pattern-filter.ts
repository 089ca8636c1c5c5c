import type { Category } from "../../backend/engine/engine-types.ts";
import type { PatternRow } from "../../backend/wire.ts";

/** What is shown of the patterns. */
export const patternShows = ["all", "off", "found", "idle"] as const;
export type PatternShow = (typeof patternShows)[number];
export type PatternFilter = { show: PatternShow; search: string };

/** The patterns of a category. */
export type PatternGroup = { category: Category; patterns: PatternRow[] };

/** Reads the filter of an address. */
export const readPatternFilter = (params: URLSearchParams): PatternFilter => ({
  show: patternShows.find((show) => show === params.get("show")) ?? "all",
  search: params.get("search") ?? "",
});

/** The patterns that the filter lets through by category, in the order in which both come. */
export const groupPatterns = (patterns: readonly PatternRow[], filter: PatternFilter): PatternGroup[] => {
  const groups = new Map<Category, PatternRow[]>();
  for (const pattern of patterns) {
    if (!matches(pattern, filter)) continue;
    const group = groups.get(pattern.category);
    if (group === undefined) groups.set(pattern.category, [pattern]);
    else group.push(pattern);
  }
  return [...groups].map(([category, rows]) => ({ category, patterns: rows }));
};

const matches = (pattern: PatternRow, { show, search }: PatternFilter): boolean =>
  isShown(pattern, show) &&
  (pattern.title.toLowerCase().includes(search.toLowerCase()) || String(pattern.id).startsWith(search));

const isShown = ({ isOn, isInForce, hits }: PatternRow, show: PatternShow): boolean => {
  switch (show) {
    case "all":
      return true;
    case "off":
      return !isOn;
    case "found":
      return hits > 0;
    case "idle":
      return isOn && !isInForce;
  }
};
