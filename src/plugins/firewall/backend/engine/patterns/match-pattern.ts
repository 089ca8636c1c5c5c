import type { Pattern } from "../engine-types.ts";
import { requiredTexts } from "../required-texts.ts";

const expressions = new WeakMap<Pattern["find"], RegExp>();

/** What a `find` that is one expression needs; the expression must be linear and without the flag `g`. */
export const matching = (expression: RegExp): Pattern["find"] => {
  const find: Pattern["find"] = (text) => expression.exec(text)?.[0] ?? null;
  expressions.set(find, expression);
  return find;
};

/** A pattern that is one expression with what its expression needs, unless it says itself what it needs. */
export const withNeeds = (pattern: Pattern): Pattern => {
  const expression = expressions.get(pattern.find);
  const needs = pattern.needs ?? (expression === undefined ? null : requiredTexts(expression));
  return needs === null ? pattern : { ...pattern, needs };
};
