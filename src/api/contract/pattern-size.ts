import { schemaFaultTexts as texts } from "./plugin-texts.ts";
import type { CompilePattern, PatternTest } from "./schema-values.ts";

/** Bounds of patterns that strangers bring: with these neither compiling nor comparing takes long, whatever they are. */
export const patternLimits = {
  length: 200,
  // The engine steps through texts of `textLength` without a second, slower way up to here.
  size: 260,
  textLength: 1_000,
  ofSchema: { patterns: 20, size: 2_000 },
  ofPlugin: { patterns: 200, size: 10_000 },
} as const;

/** Why a pattern is too much; the message is for whoever wrote it. */
export class PatternFault extends Error {}

// Tables of Unicode are large: reading one takes as long as some characters.
const tableSize = 10;
const mostTimes = 10_000;

const token =
  /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?:|\?<\w+>)?|\{(?<least>\d+)(?<open>,(?<most>\d*))?\}|./gsu;

/**
 * How many instructions a pattern becomes at most, about: one for each character, class and choice, times how often it is
 * repeated. It is told from the text alone, before anything is compiled.
 */
export const patternSize = (pattern: string): number => {
  const groups = [{ size: 0, last: 1 }];
  const innermost = () => groups.at(-1) ?? { size: 0, last: 1 };
  const add = (size: number) => {
    const group = innermost();
    group.size += size;
    group.last = size;
  };
  for (const { 0: text, groups: found } of pattern.matchAll(token)) {
    if (found?.least !== undefined) {
      const least = timesOf(found.least);
      const most = found.most ? timesOf(found.most) : least + (found.open === undefined ? 0 : 1);
      const { last } = innermost();
      const repeated = last * Math.max(least, most, 1) + Math.max(most - least, 0);
      innermost().size += repeated - last;
      innermost().last = repeated;
    } else if (text.startsWith("(")) groups.push({ size: text === "(?:" ? 0 : 2, last: 1 });
    else if (text === ")") add(Math.max((groups.length > 1 ? groups.pop() : undefined)?.size ?? 1, 1));
    else if (/^[*+?]$/.test(text)) {
      innermost().size += 1;
      innermost().last += 1;
    } else add(1);
  }
  // What was never closed is no pattern; it is not small because of that.
  return groups.reduce((sum, { size }) => sum + size, tablesSize(pattern));
};

const timesOf = (digits: string): number => Math.min(Number(digits), mostTimes);

/** What tables of Unicode in a pattern add to its size. */
export const tablesSize = (pattern: string): number => (pattern.match(/\\[pP]\{/g)?.length ?? 0) * tableSize;

/**
 * Compiles each pattern of one plugin once, however many of its schemas have it. Throws a `PatternFault` where they
 * become too many for a plugin, or too large together.
 */
export const createPatternBook = (compilePattern: CompilePattern): CompilePattern => {
  const book = new Map<string, PatternTest>();
  const { patterns, size } = patternLimits.ofPlugin;
  let left: number = size;
  return (pattern) => {
    const known = book.get(pattern);
    if (known !== undefined) return known;
    if (book.size >= patterns || left <= 0) throw new PatternFault(texts.patternsOfPlugin);
    const test = compilePattern(pattern);
    left -= test.size ?? 0;
    if (left < 0) throw new PatternFault(texts.patternsOfPlugin);
    book.set(pattern, test);
    return test;
  };
};
