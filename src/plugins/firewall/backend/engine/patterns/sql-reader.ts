import { wordSet, words } from "../words.ts";

/** A text as tokens, with questions about what stands at a place. All of them look a bounded way ahead. */
export type SqlReading = {
  text: string;
  tokens: readonly SqlToken[];
  at(index: number): SqlToken;
  /** Whether a token is a quote of which the text has an odd number up to there: the query around it has opened one. */
  isForeign(index: number): boolean;
  /** From the first token to the one before `end`, as it stands in the text. */
  piece(start: number, end: number): string;
};

let last: SqlReading | null = null;

/** The reading of a text; patterns ask one after the other for the same text. */
export const readSql = (text: string): SqlReading => {
  if (last?.text === text) return last;
  const tokens = tokeniseSql(text);
  const foreign = foreignQuotes(tokens);
  last = {
    text,
    tokens,
    at: (index) => tokens[index] ?? noToken,
    isForeign: (index) => foreign[index] === 1,
    piece: (start, end) => {
      const after = tokens[end - 1];
      return text.slice(
        tokens[start]?.at ?? 0,
        after === undefined ? text.length : after.at + after.text.length,
      );
    },
  };
  return last;
};

/** What an operand is: a literal says the same whatever the table holds. */
export type Operand = { type: "literal" | "open" | "name" | "call" | "query"; name: string; end: number };

const mostTokensAhead = 32;
/** Words that go on with a condition begin none. */
const joints = /^(?:or|and|xor|where|having|when|then|union|order|group|from|like|between)$/;
const signs = wordSet("+ - ~ ! ( not binary all any some distinct {");
const constants = wordSet("true false null");

/** The operand that begins at a token, or `null`. `open` is a string that nobody closes: the query around it does. */
export const readOperand = (sql: SqlReading, start: number): Operand | null => {
  let at = start;
  while (at < start + 8 && signs.has(sql.at(at).text)) at += 1;
  const first = sql.at(at);
  const operand = readCore(sql, at, first);
  return operand === null ? null : { ...operand, end: skipClosers(sql, operand.end) };
};

const readCore = (sql: SqlReading, at: number, first: SqlToken): Operand | null => {
  if (first.kind === "number") return { type: "literal", name: first.text, end: at + 1 };
  if (first.kind === "variable") return { type: "call", name: first.text, end: at + 1 };
  if (first.kind === "quote") return readString(sql, at, first.text);
  if (first.kind !== "word" || joints.test(first.text)) return null;
  if (first.text === "select" || first.text === "case")
    return { type: "query", name: first.text, end: at + 1 };
  if (constants.has(first.text)) return { type: "literal", name: first.text, end: at + 1 };
  let end = at + 1;
  while (sql.at(end).text === "." && sql.at(end + 1).kind === "word" && end < at + 8) end += 2;
  const name = sql.piece(at, end);
  if (sql.at(end).text === "(") return { type: "call", name, end: endOfParentheses(sql, end) };
  // n'text', x'4142', _utf8'text', date '2020-01-01': strings with a word before them.
  if (/^(?:[nxbeq]|_\w+)$/.test(name) && sql.at(end).kind === "quote")
    return readString(sql, end, sql.at(end).text);
  return { type: "name", name, end };
};

const readString = (sql: SqlReading, at: number, quote: string): Operand => {
  for (let end = at + 1; end <= at + mostTokensAhead; end += 1) {
    if (sql.at(end) === noToken) return { type: "open", name: "", end };
    if (sql.at(end).text === quote) return { type: "literal", name: sql.piece(at, end + 1), end: end + 1 };
  }
  return { type: "open", name: "", end: at + 1 };
};

/** The token after the parenthesis that closes the one at `open`, or where the text or the patience ends. */
const endOfParentheses = (sql: SqlReading, open: number): number => {
  let depth = 0;
  for (let at = open; at < open + mostTokensAhead; at += 1) {
    const { text } = sql.at(at);
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    if (depth === 0) return at + 1;
    if (sql.at(at) === noToken) return at;
  }
  return open + mostTokensAhead;
};

const skipClosers = (sql: SqlReading, start: number): number => {
  let at = start;
  while (at < start + 8 && (sql.at(at).text === ")" || sql.at(at).text === "}")) at += 1;
  return at;
};

/** Whether the statement ends at a token: with the text, with a comment, a semicolon or a NUL that was cut off. */
export const endsStatement = (sql: SqlReading, at: number): boolean =>
  sql.at(at) === noToken || sql.at(at).kind === "comment" || sql.at(at).text === ";";

/** Whether what stands before a token closes a string, with or without parentheses. */
export const followsQuote = (sql: SqlReading, index: number): boolean => {
  let at = index - 1;
  while (at > index - 8 && sql.at(at).text === ")") at -= 1;
  return sql.at(at).kind === "quote";
};

/** Whether that quote is one that the text has not opened: the query around it has. */
export const followsForeignQuote = (sql: SqlReading, index: number): boolean => {
  let at = index - 1;
  while (at > index - 8 && sql.at(at).text === ")") at -= 1;
  return sql.isForeign(at);
};

/** "we're", "it's": nothing opens there. */
const isApostrophe = (tokens: readonly SqlToken[], index: number): boolean => {
  const { text, at } = tokens[index] ?? noToken;
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  if (text !== "'" || before?.kind !== "word" || after?.kind !== "word") return false;
  const isTight = before.at + before.text.length === at && after.at === at + 1;
  return isTight && /^(?:s|t|re|ll|ve|d|m)$/.test(after.text) && tokens[index + 2]?.text !== "'";
};

const foreignQuotes = (tokens: readonly SqlToken[]): Uint8Array => {
  const foreign = new Uint8Array(tokens.length);
  const counts = new Map<string, number>();
  for (let index = 0; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index] ?? noToken;
    if (kind !== "quote" || isApostrophe(tokens, index)) continue;
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    foreign[index] = count % 2;
  }
  return foreign;
};

/**
 * What a piece of text may be for a database. Quotes are tokens of their own: nobody knows whether the text begins inside
 * of a string.
 */
type SqlKind = "word" | "number" | "quote" | "operator" | "comment" | "variable" | "mark";

/** A piece of text; `at` is where it begins. Empty text past the end. */
type SqlToken = { kind: SqlKind; text: string; at: number };

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
for (const operator of words("<= <@ @> -> #> ?| ?& || && :: := == != <> >= !~ ~* ~~ #- @? @@"))
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
