import { existsSync } from "node:fs";
import { allSuites, isSuiteName, type SuiteName, type Tier, tiers } from "./suites.ts";

/** What the words after `bun run test` ask for. */
export type TestCommand = {
  /** Whether formatting, types and unused code are checked first. */
  withCheck: boolean;
  tier: Tier;
  suites: readonly SuiteName[];
  /** Whether heavy checks run at their full size instead of the size that fits into a CI run. */
  isFull: boolean;
  isVerbose: boolean;
  /** What decides the order in which the tests of a file run; `null` when they run as they are written. */
  seed: number | null;
  /** Test files or folders in place of the tier's; where a tier is named, what is below them of its files. */
  paths: string[];
  /** Passed on to `bun test` as they are. */
  flags: string[];
};

export const usage = `bun run test                 what to run before a commit: checks, and the quick part of every suite
bun run test all             every suite at its small size
bun run test rest            what all adds to the quick part
bun run test full            every suite with heavy checks at their full size: hours
bun run test own             the tests of your own features, and that the product starts with them
bun run test [TIER] SUITE… [PATH… or bun test flag…]   whole suites, or parts of one
bun run test faults-planted [NAME…]   plant faults one by one and show which test sees each first
bun run test --slowest       the time of each file in the last runs

Suites: ${allSuites.join(", ")}
--verbose prints everything that the tests print.
--randomize runs the tests of each file in random order, and --seed=N in the order of an earlier run. Logs and reports of the last runs are in dist/test-results.`;

/**
 * Reads `[tier] [suite…] [--] [path or bun test flag…]`, and the options anywhere. Returns a complaint for a word that is
 * neither a tier, a suite, an existing path, nor a flag or its value.
 */
export const readTestCommand = (words: readonly string[]): TestCommand | string => {
  const all = words.filter(
    (word) => word !== "--verbose" && word !== "--randomize" && !seedOption.test(word),
  );
  const split = all.findIndex((word) => !isSuiteName(word) && !isTier(word) && word !== "full");
  const leading = split < 0 ? all : all.slice(0, split);
  const rest = (split < 0 ? [] : all.slice(split)).filter((word) => word !== "--");
  const first = rest[0];
  if (first !== undefined && !first.startsWith("-") && !existsSync(first))
    return `Unknown suite or path: ${first}\n\n${usage}`;
  const isOwn = leading.includes("own");
  const named = isOwn ? (["unit"] as const) : leading.filter(isSuiteName);
  const isFull = leading.includes("full");
  const tier = leading.find(isTier) ?? (isFull || named.length > 0 || rest.length > 0 ? "all" : "quick");
  return {
    withCheck: named.length === 0 && rest.length === 0 && tier !== "rest",
    tier,
    suites: named.length > 0 ? named : allSuites,
    isFull,
    isVerbose: words.includes("--verbose") || (rest.length > 0 && !leading.some(isTier)),
    seed: readSeed(words),
    paths: rest.filter((word) => existsSync(word)),
    flags: rest.filter((word) => !existsSync(word)),
  };
};

const seedOption = /^--seed=(\d+)$/;

/** The seed given, or one that is picked here so that every part of the run has the same and a failure can name it. */
const readSeed = (words: readonly string[]): number | null => {
  const given = words.flatMap((word) => seedOption.exec(word)?.[1] ?? [])[0];
  if (given !== undefined) return Number(given);
  return words.includes("--randomize") ? Math.floor(Math.random() * 2 ** 32) : null;
};

const isTier = (word: string): word is Tier => tiers.some((tier) => tier === word);
