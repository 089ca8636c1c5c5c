/**
 * What a piece of text may be for a database. Quotes are tokens of their own: nobody knows whether the text begins inside
 * of a string.
 */
type SqlKind = "word" | "number" | "quote" | "operator" | "comment" | "variable" | "mark";

/** A piece of text; `at` is where it begins. Empty text past the end. */
export type SqlToken = { kind: SqlKind; text: string; at: number };

/** Past the end of every text. */
export const noToken: SqlToken = { kind: "mark", text: "", at: -1 };

const longest = 128;

/** The end of the token that was read last; a second result without an object for each of 65,536 tokens. */
let end = 0;

/** The tokens of an `sql` view. Reads each character a bounded number of times. */
export const tokeniseSql = (text: string): SqlToken[] => {
  const tokens: SqlToken[] = [];
  for (let at = 0; at < text.length; at = end) {
    const code = text.charCodeAt(at);
    end = at + 1;
    if (code <= 32) continue;
    const kind = readToken(text, at, code);
    tokens.push({ kind, text: end === at + 1 ? text.charAt(at) : text.slice(at, end), at });
    if (kind === "mark" || kind === "operator") end = endOfRun(text, end);
  }
  return tokens;
};

const readToken = (text: string, at: number, code: number): SqlKind => {
  if (isWordStart(code)) {
    end = endOf(text, at + 1, isWordPart);
    return "word";
  }
  if (isDigit(code) || (code === dot && isDigit(text.charCodeAt(at + 1)))) {
    end = endOfNumber(text, at);
    return "number";
  }
  return readMark(text, at, code);
};

const longestRun = 8;

/** Of many equal marks in a row eight say as much: the rest is skipped. */
const endOfRun = (text: string, start: number): number => {
  const code = text.charCodeAt(start - 1);
  for (let at = start - longestRun; at < start; at += 1) if (text.charCodeAt(at) !== code) return start;
  let after = start;
  while (text.charCodeAt(after) === code) after += 1;
  return after;
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWordStart = (code: number): boolean => (code >= 97 && code <= 122) || code === 95 || code >= 128;
const isWordPart = (code: number): boolean => isWordStart(code) || isDigit(code) || code === 36;

/** Operators of two and three characters by their first two: `code << 7 | code`. */
const pairs = new Uint8Array(1 << 14);
const triples = ["<=>", "->>", "#>>", "!~*"];
for (const operator of "<= <@ @> -> #> ?| ?& || && :: := == != <> >= !~ ~* ~~ #- @? @@".split(" "))
  pairs[(operator.charCodeAt(0) << 7) | operator.charCodeAt(1)] = 1;
const single = new Uint8Array(128);
for (const operator of "-+*/%=<>|&^~!") single[operator.charCodeAt(0)] = 1;

const [doubleQuote, hash, singleQuote, star, dash, dot, slash, at64, backtick] = [
  34, 35, 39, 42, 45, 46, 47, 64, 96,
];

/** Where the mark, comment, operator or variable that begins at `at` ends, and what it is. */
const readMark = (text: string, at: number, code: number): SqlKind => {
  const next = text.charCodeAt(at + 1);
  end = at + 1;
  if (code === singleQuote || code === doubleQuote || code === backtick) return "quote";
  if ((code === dash && next === dash) || (code === slash && next === star)) {
    end = at + 2;
    return "comment";
  }
  if (code === at64) {
    const start = next === at64 ? at + 2 : at + 1;
    if (isWordStart(text.charCodeAt(start))) {
      end = endOf(text, start, isVariablePart);
      return "variable";
    }
  }
  if (code < 128 && next < 128 && pairs[(code << 7) | next] === 1) {
    end = triples.some((operator) => text.startsWith(operator, at)) ? at + 3 : at + 2;
    return "operator";
  }
  if (code === hash) return "comment";
  return single[code] === 1 ? "operator" : "mark";
};

const isVariablePart = (code: number): boolean => isWordPart(code) || code === 46;

const endOf = (text: string, start: number, isPart: (code: number) => boolean): number => {
  const limit = Math.min(text.length, start + longest);
  let at = start;
  while (at < limit && isPart(text.charCodeAt(at))) at += 1;
  return at;
};

const number = /(?:0x[0-9a-f]{1,64}|\d{0,64}(?:\.\d{0,64})?(?:e[+-]?\d{1,9})?)/y;

/** `1or` and `1union` are a number and a word. */
const endOfNumber = (text: string, at: number): number => {
  number.lastIndex = at;
  return at + Math.max(1, number.exec(text)?.[0].length ?? 1);
};
