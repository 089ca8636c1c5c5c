import { RE2JS } from "re2js";
import type { CompilePattern } from "#contract/json-schema.ts";
import { PatternFault, patternLimits, patternSize, tablesSize } from "#contract/pattern-size.ts";
import { schemaFaultTexts as texts } from "#contract/plugin-texts.ts";

const escapesAndClasses = /\\.|\[(?:\\.|[^\]\\])*\]/gs;
const flags = /\(\?[a-z-]/i;

/**
 * Compiles strangers' patterns for an engine whose time is linear in the text and the pattern's size, whatever the
 * pattern. Look-around and back-references, which cannot be had in linear time, throw; so does what would be large, before
 * it is compiled.
 */
export const compilePattern: CompilePattern = (pattern) => {
  if (pattern.length > patternLimits.length) throw new PatternFault(texts.patternLong(patternLimits.length));
  // Cases that are folded make classes of all characters in all writings.
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
