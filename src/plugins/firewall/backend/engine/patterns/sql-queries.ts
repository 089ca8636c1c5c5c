import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { wordSet } from "../words.ts";
import { endsStatement, followsQuote, noToken, readOperand, readSql, type SqlReading } from "./sql-reader.ts";

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "sql" } as const;

/** Queries inside of values, and clauses that attackers hang on to the one that stands there. */
export const queryPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5010,
    title: "UNION SELECT",
    needs: ["union"],
    find: (text) => findAt(text, "union", unionSelect),
  },
  {
    ...shared,
    id: 5011,
    title: "SELECT … FROM",
    needs: ["select"],
    find: (text) => findAt(text, "select", selectFrom),
  },
  {
    ...shared,
    id: 5012,
    title: "SELECT of an expression",
    needs: ["select"],
    find: (text) => findAt(text, "select", selectExpression),
  },
  {
    ...shared,
    id: 5013,
    title: "Clause behind a value",
    needs: ["order by", "group by", "limit ", "procedure analyse"],
    find: (text) => findClause(readSql(text)),
  },
  matching({ ...shared, id: 5014, title: "Result written into a file" }, /\binto\s(?:out|dump)file\b/),
  {
    ...shared,
    id: 5015,
    title: "CASE WHEN … THEN",
    needs: ["case"],
    find: (text) => findAt(text, "case", caseWhen),
  },
  matching(
    { ...shared, id: 5016, title: "Alias and table behind a value" },
    // `1 as "x" from users`: the value's own column is left with an alias.
    /\bas\s?["'`]\w{1,32}["'`]\s?from\b/,
  ),
];

type Ask = (sql: SqlReading, index: number) => number | null;

const findAt = (text: string, word: string, ends: Ask): string | null => {
  const sql = readSql(text);
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const end = sql.at(index).text === word ? ends(sql, index) : null;
    if (end !== null) return sql.piece(Math.max(0, index - 1), end);
  }
  return null;
};

const unionSelect: Ask = (sql, index) => {
  let at = index + 1;
  // A comment up to the end of its line: the view has no lines, so that its few words are looked past.
  if (sql.at(at).kind === "comment") while (at < index + 5 && sql.at(at).text !== "select") at += 1;
  while (at < index + 8 && /^(?:all|distinct|distinctrow|unique|\(|\+)$/.test(sql.at(at).text)) at += 1;
  if (!/^(?:select|values|table)$/.test(sql.at(at).text)) return null;
  const { kind, text } = sql.at(at + 1);
  // "a union select committee": there a word follows that no comma, dot or FROM continues.
  if (sql.at(at).text === "table" && kind === "word" && sql.at(index - 1).kind === "number")
    return endsStatement(sql, at + 2) ? at + 2 : null;
  if (kind === "word" && !/^(?:null|true|false|all|distinct|top|char|concat|load_file)$/.test(text)) {
    const after = sql.at(at + 2);
    return /^(?:,|\.|\(|from|into|limit|where)$/.test(after.text) ||
      after.kind === "comment" ||
      after.kind === "quote"
      ? at + 3
      : null;
  }
  return sql.at(at).text === "select" || text === "(" ? at + 2 : null;
};

const mostColumns = 40;

/** The token of FROM after a list of columns that an English sentence would not have, or `null`. */
const endOfColumns = (sql: SqlReading, start: number): { from: number; isPlain: boolean } | null => {
  let at = start;
  let isPlain = true;
  let depth = 0;
  let words = 0;
  let row = 0;
  for (; at < start + mostColumns * 2; at += 1) {
    const { text, kind } = sql.at(at);
    if (sql.at(at) === noToken) return null;
    if (depth === 0 && text === "from") return words > 0 || !isPlain ? { from: at, isPlain } : null;
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    if (depth < 0) return null;
    if (kind !== "word" || text === "null") isPlain = isPlain && text === ",";
    if (kind === "word") words += 1;
    // A list of columns has its own FROM before another SELECT; a sentence ends, or has three words in a row.
    if (depth === 0 && (text === "select" || /^[!?;]$/.test(text))) return null;
    row = kind === "word" && !connecting.has(text) ? row + 1 : 0;
    if (depth === 0 && row > 2) return null;
  }
  return null;
};

/** Words that stand between columns, or between a column and its alias. */
const connecting = wordSet(
  "as case when then else end distinct all top and or not is null like in div mod over interval xor regexp rlike into binary",
);

const selectFrom: Ask = (sql, index) => {
  let start = index + 1;
  while (/^(?:all|distinct|top|sql_no_cache|straight_join)$/.test(sql.at(start).text)) start += 1;
  const columns = endOfColumns(sql, start);
  if (columns === null) return null;
  const { from, isPlain } = columns;
  const table = sql.at(from + 1);
  if (!/^(?:word|quote|variable)$/.test(table.kind) && table.text !== "(" && table !== noToken) return null;
  if (!isPlain) return isSpeech(sql, index, from) || isCited(sql, index, from) ? null : from + 2;
  // A sentence says "select the colours from the list": bare words need a break, an end or a clause beside them.
  const isBroken =
    followsQuote(sql, index) ||
    /^[;(),]$/.test(sql.at(index - 1).text) ||
    sql.at(index - 1).kind === "number";
  let end = from + 2;
  while (sql.at(end).text === "." && end < from + 8) end += 2;
  const after = sql.at(end);
  const isCut =
    after.kind === "comment" || /^(?:where|limit|group|order|union|into|having|join)$/.test(after.text);
  const isWhole =
    index === 0 &&
    after === noToken &&
    /^[\w.]*$/.test(table.text) &&
    (from === start + 1 || sql.at(start + 1).kind !== "word");
  const isTable = table.kind === "word" && !pointing.test(table.text);
  return isTable && (isCut || isWhole || (isBroken && !isListed(sql, index))) ? end : null;
};

/** "(select one from …": the word before the parenthesis tells whether it is a remark. */
const isListed = (sql: SqlReading, index: number): boolean =>
  sql.at(index - 2).kind === "word" && sql.at(index - 1).text === ",";

/** A query between two backticks, nothing behind its table: somebody tells of it. */
const isCited = (sql: SqlReading, index: number, from: number): boolean =>
  index > 1 && sql.at(index - 1).text === "`" && sql.at(from + 2).text === "`";

/** Words that point at something that is no table. */
const pointing =
  /^(?:the|a|an|my|your|our|his|her|their|its|this|that|these|those|each|any|all|among|both|here|there|below|above|within|left|right|now|today|one|it|them|us|me|you)$/;

/** "select 2 from the list", "select the drop-down menu from the bar": a number alone or an article, then an article. */
const isSpeech = (sql: SqlReading, index: number, from: number): boolean =>
  (from <= index + 4 || /^(?:the|an|my|your|our|this|these|those)$/.test(sql.at(index + 1).text)) &&
  pointing.test(sql.at(from + 1).text);

const selectExpression: Ask = (sql, index) => {
  const operand = readOperand(sql, index + 1);
  if (operand === null) return null;
  const before = sql.at(index - 1).text;
  if (operand.type === "call" && (operand.name.startsWith("@") || /^[\w.]+$/.test(operand.name))) {
    // `select (…)` and `select name (…)` are sentences; `select sleep(5)` is not.
    return isTight(sql, operand.name, index) ? operand.end : null;
  }
  if (operand.type === "query" && sql.at(index + 1).text === "(") return operand.end;
  // `1^(select 1)`: nobody calculates with a sentence.
  if (operand.type === "literal" && before === "(" && (index === 1 || sql.at(index - 2).kind === "operator"))
    return operand.end;
  if (index === 0 && sessionWord.test(operand.name) && endsStatement(sql, operand.end)) return operand.end;
  const isBroken = followsQuote(sql, index) || (before === ";" && operand.type !== "name");
  return isBroken && operand.type !== "open" && before !== "" ? operand.end : null;
};

const sessionWord = /^(?:current|session|system)_\w{4,12}$|^sysdate$/;

const isTight = (sql: SqlReading, name: string, index: number): boolean => {
  if (name.startsWith("@@")) return true;
  const open = sql.tokens.findIndex(
    ({ text, at }, place) =>
      place > index && place < index + 12 && text === "(" && at > (sql.at(index).at ?? 0),
  );
  const word = sql.at(open - 1);
  return open > 0 && (word.at + word.text.length === sql.at(open).at || sharedSelect.has(name));
};

const sharedSelect = wordSet("sleep count user version database char concat if benchmark load_file");

const clause = /^(?:order|group)$/;

const findClause = (sql: SqlReading): string | null => {
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const { text } = sql.at(index);
    const isClause = clause.test(text) && sql.at(index + 1).text === "by";
    if (isClause && isClauseEnd(sql, index)) return sql.piece(index - 1, index + 3);
    if (text === "procedure" && sql.at(index + 1).text === "analyse") return sql.piece(index, index + 2);
    if (text === "limit" && followsQuote(sql, index) && sql.at(index + 1).kind === "number")
      return sql.piece(index - 1, index + 2);
  }
  return null;
};

/** A column by its number or name, then the end; before it a quote or a number that is all there was. */
const isClauseEnd = (sql: SqlReading, index: number): boolean => {
  const operand = readOperand(sql, index + 2);
  if (operand === null) return false;
  if (operand.type === "query" || (operand.type === "call" && sql.at(index + 2).text !== "("))
    return index > 0;
  let end = operand.end;
  if (/^(?:asc|desc)$/.test(sql.at(end).text)) end += 1;
  while (end < index + 40 && sql.at(end).text === ",") end = readOperand(sql, end + 1)?.end ?? end + 1;
  const isLast = sql.at(end).kind === "comment" || (endsStatement(sql, end) && operand.type === "literal");
  const isBehind =
    index === 0 ||
    followsQuote(sql, index) ||
    (sql.at(index - 1).kind === "number" && index <= 3) ||
    sql.at(index - 1).text === ")";
  return isLast && (isBehind || (sql.at(end).kind === "comment" && operand.type === "literal"));
};

const caseWhen: Ask = (sql, index) => {
  for (let at = index + 1; at < index + 24; at += 1) {
    if (sql.at(at).text === "then" && sql.at(index + 1).text === "when") return at + 1;
  }
  return null;
};
