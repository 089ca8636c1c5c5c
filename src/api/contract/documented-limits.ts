/**
 * What the API's document states of a field that a rule checks by itself, as `documented` in the field's schema: words of JSON
 * Schema, which counts characters, never narrower than the rule. Nothing is checked by it, so that what callers are told
 * stays the rule's own sentence.
 */
export type DocumentedLimits = {
  type?: "integer";
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly number[];
};

/**
 * A text of `least` to `most` characters, around which there may be any amount of space; with 0 it may be empty. Of texts
 * with lines each line break counts as one character, in whatever way it is written.
 */
export const trimmed = (least: number, most: number, { hasLines = false } = {}): DocumentedLimits => {
  const one = hasLines ? "(?:\\r\\n|\\r(?!\\n)|[^\\r])" : "[\\s\\S]";
  const text =
    least > 1
      ? `\\S${one}{${least - 2},${most - 2}}\\S`
      : // One character is first and last.
        `\\S(?:${one}{0,${most - 2}}\\S)?`;
  return least === 0
    ? { pattern: `^\\s*(?:${text}\\s*)?$` }
    : { minLength: least, pattern: `^\\s*${text}\\s*$` };
};
