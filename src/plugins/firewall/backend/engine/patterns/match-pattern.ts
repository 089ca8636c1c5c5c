import type { Pattern } from "../engine-types.ts";

/** What a `find` that is one expression needs; the expression must be linear and without the flag `g`. */
export const matching =
  (expression: RegExp): Pattern["find"] =>
  (text) =>
    expression.exec(text)?.[0] ?? null;
