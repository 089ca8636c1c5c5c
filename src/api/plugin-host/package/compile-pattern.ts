import { RE2JS } from "re2js";
import type { CompilePattern } from "#contract/json-schema.ts";

/**
 * Compiles strangers' patterns for an engine whose time is linear in the text, whatever the pattern. Look-around and
 * back-references, which cannot be had in linear time, throw.
 */
export const compilePattern: CompilePattern = (pattern) => {
  // As browsers understand it, too: forms check with their own engine.
  new RegExp(pattern, "u");
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return (text) => compiled.matcher(text).find();
};
