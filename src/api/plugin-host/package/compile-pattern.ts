import { RE2JS } from "re2js";
import type { CompilePattern } from "#contract/json-schema.ts";
import { PatternFault, patternLimits, patternSize, tablesSize } from "#contract/pattern-size.ts";
import { schemaFaultTexts as texts } from "#contract/plugin-texts.ts";

const escapesAndClasses = /\\.|\[(?:\\.|[^\]\\])*\]/gs;
const flags = /\(\?[a-z-]/i;

/**
 * Compiles strangers' patterns for an engine whose time is linear in the text and the pattern's size, for any pattern.
 * Lookaround and backreferences, which are not possible in linear time, throw; so do patterns that would be too large,
 * before they are compiled.
 */
export const compilePattern: CompilePattern = (pattern) => {
  if (pattern.length > patternLimits.length) throw new PatternFault(texts.patternLong(patternLimits.length));
  // Case folding makes classes of all characters in all scripts.
  if (flags.test(pattern.replace(escapesAndClasses, ""))) throw new PatternFault(texts.patternFlags);
  const foreseen = patternSize(pattern);
  if (foreseen > patternLimits.size) throw new PatternFault(texts.patternSize);
  // As browsers understand it, too: forms check with their own engine.
  new RegExp(pattern, "u");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  const size = Math.max(foreseen, compiled.programSize() + tablesSize(pattern));
  if (size > patternLimits.size) throw new PatternFault(texts.patternSize);
  // Not `test`, which keeps up to 8 MB of states for each pattern.
  return Object.assign((text: string) => compiled.matcher(text).find(), { size });
};
