import { existsSync } from "node:fs";
import { allSuites, isSuiteName, type SuiteName } from "./suites.ts";

/** What the words after `bun run test` ask for. */
export type TestCommand = {
  /** Whether formatting, types and guards are checked first. */
  withCheck: boolean;
  suites: SuiteName[];
  /** Whether heavy checks run at their full size instead of the size that fits into a CI run. */
  isFull: boolean;
  /** Paths below which test files are looked for; empty means the suite's own. */
  paths: string[];
  /** Passed on to `bun test` as they are. */
  flags: string[];
};

/**
 * Reads `[suite…] [--] [path or bun test flag…]`. No suite means everything, `full` everything at full size. Returns a
 * complaint for a word that is neither a suite, nor an existing path, nor a flag or its value.
 */
export const readTestCommand = (words: readonly string[]): TestCommand | string => {
  const split = words.findIndex((word) => !isSuiteName(word) && word !== "full");
  const leading = split < 0 ? words : words.slice(0, split);
  const rest = (split < 0 ? [] : words.slice(split)).filter((word) => word !== "--");
  const first = rest[0];
  if (first !== undefined && !first.startsWith("-") && !existsSync(first)) {
    return `Unknown suite: ${first}. Expected: ${[...allSuites, "full"].join(", ")}, or a path after a suite`;
  }
  const named = leading.filter(isSuiteName);
  return {
    withCheck: named.length === 0 && rest.length === 0,
    suites: named.length > 0 ? named : allSuites,
    isFull: leading.includes("full"),
    paths: rest.filter((word) => existsSync(word)),
    flags: rest.filter((word) => !existsSync(word)),
  };
};
