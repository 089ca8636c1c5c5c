import type { Category } from "../../backend/engine/engine-types.ts";
import type { PatternRow } from "../../backend/wire.ts";

/** What is shown of the patterns. */
const patternShows = ["all", "off", "found", "idle"] as const;
type PatternShow = (typeof patternShows)[number];
export type PatternFilter = { show: PatternShow; search: string };

/** The kinds of attacks, in the order in which they are shown. */
const categories = [
  "sql-injection",
  "cross-site-scripting",
  "command-injection",
  "code-injection",
  "file-access",
  "remote-inclusion",
  "protocol",
  "scanner",
] as const satisfies Category[];

/** The patterns of a category. */
export type PatternGroup = { category: Category; patterns: PatternRow[] };

/** Reads the filter of an address. */
export const readPatternFilter = (params: URLSearchParams): PatternFilter => ({
  show: patternShows.find((show) => show === params.get("show")) ?? "all",
  search: params.get("search") ?? "",
});

/** The patterns that the filter lets through by category, those of a category in the order in which they come. */
export const groupPatterns = (patterns: readonly PatternRow[], filter: PatternFilter): PatternGroup[] => {
  const shown = patterns.filter((pattern) => matches(pattern, filter));
  return categories
    .map((category) => ({ category, patterns: shown.filter((pattern) => pattern.category === category) }))
    .filter((group) => group.patterns.length > 0);
};

const matches = (pattern: PatternRow, { show, search }: PatternFilter): boolean =>
  shows[show](pattern) &&
  (pattern.title.toLowerCase().includes(search.toLowerCase()) || String(pattern.id).startsWith(search));

const shows: Record<PatternShow, (pattern: PatternRow) => boolean> = {
  all: () => true,
  off: ({ isOn }) => !isOn,
  found: ({ hits }) => hits > 0,
  idle: ({ isOn, isInForce }) => isOn && !isInForce,
};
