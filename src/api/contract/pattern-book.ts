import { PatternFault, patternLimits } from "./pattern-size.ts";
import { schemaFaultTexts as texts } from "./plugin-texts.ts";
import type { CompilePattern, PatternTest } from "./schema-types.ts";

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
