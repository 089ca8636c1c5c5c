/**
 * What a piece of text may be for a database. Quotes are tokens of their own: nobody knows whether the text begins inside
 * of a string.
 */
export type SqlKind = "word" | "number" | "quote" | "operator" | "comment" | "variable" | "mark";

/** A piece of text; `at` is where it begins. Empty text past the end. */
export type SqlToken = { kind: SqlKind; text: string; at: number };

/** Past the end of every text. */
export const noToken: SqlToken = { kind: "mark", text: "", at: -1 };

// Sticky and without alternatives that overlap: each character is read once or twice.
const token =
  /\s*(?:(0x[0-9a-f]{1,64}|\d{1,64}(?:\.\d{0,64})?(?:e[+-]?\d{1,9})?(?![a-z_$])|\.\d{1,64})|([a-z_\u0080-\uffff][\w$\u0080-\uffff]{0,127})|(@{1,2}[a-z_][\w.$]{0,63})|(--|#|\/\*)|(['"`])|(<=>|<@|@>|->>?|#>>?|\?[|&]|\|\||&&|::|:=|==|!=|<>|<=|>=|!~\*?|~\*|~~|[-+*/%=<>|&^~!])|(\S))/y;

/** The tokens of an `sql` view. Linear. */
export const tokeniseSql = (text: string): SqlToken[] => {
  const tokens: SqlToken[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [whole, number, word, variable, comment, quote, operator, mark] = match;
    const piece = number ?? word ?? variable ?? comment ?? quote ?? operator ?? mark ?? "";
    tokens.push({ kind: kindOf(match), text: piece, at: match.index + whole.length - piece.length });
  }
  return tokens;
};

const kinds: readonly SqlKind[] = ["number", "word", "variable", "comment", "quote", "operator", "mark"];

const kindOf = (match: RegExpExecArray): SqlKind => {
  for (let group = 1; group < match.length; group += 1)
    if (match[group] !== undefined) return kinds[group - 1] ?? "mark";
  return "mark";
};
