import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { wordSet } from "../words.ts";
import { databaseFunctions, sharedFunctions } from "./sql-functions.ts";
import {
  endsStatement,
  followsForeignQuote,
  followsQuote,
  type Operand,
  readOperand,
  readSql,
  type SqlReading,
} from "./sql-reader.ts";

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "sql" } as const;
const joints = wordSet("or and || && xor having where when div & | if");
const quotes = ["'", '"', "`"];

/** Conditions that attackers hang on to the one that stands in the query. */
export const conditionPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5001,
    title: "Condition of constants",
    needs: [...joints],
    find: (text) => (beforeConstant.test(text) ? findFrom(text, isJoint, constantCondition) : null),
  },
  {
    ...shared,
    id: 5002,
    title: "Condition behind a closed string",
    needs: quotes,
    find: (text) => (jointBehindQuote.test(text) ? findFrom(text, isJoint, quotedCondition) : null),
  },
  {
    ...shared,
    id: 5003,
    title: "String closed, rest cut off by a comment",
    needs: quotes,
    find: (text) => (commentBehindQuote.test(text) ? findFrom(text, isComment, cutOff) : null),
  },
  {
    ...shared,
    id: 5004,
    title: "String closed and joined with an expression",
    needs: quotes,
    find: (text) => {
      if (onlyOperators.test(text)) return text;
      return operatorBehindQuote.test(text) ? findFrom(text, isOperator, joinedExpression) : null;
    },
  },
  {
    ...shared,
    id: 5005,
    title: "Condition behind a number",
    needs: [...joints],
    find: (text) => (opening.test(text) ? numericCondition(readSql(text)) : null),
  },
  {
    ...shared,
    id: 5006,
    title: "Expression behind a closed string, rest cut off by a comment",
    needs: ["--", "#", "/*", ";"],
    find: (text) => (commentAtEnd.test(text) ? findFrom(text, isComment, cutExpression) : null),
  },
];

// Short looks at a text, so that most honest ones need not be cut into tokens.
const beforeConstant =
  /(?:(?:^|[^a-z_$])(?:x?or|and|having|where|when|div|if)|[&|])[\s(!+~{-]{0,12}(?:(?:not|binary)[\s(]{0,4})?(?:[\d.'"`]|null|true|false|[nxbeq]['"`]|_\w)/;
const jointBehindQuote = /['"`][\s)]{0,10}(?:x?or|and|having|where|when|div|if|[&|])/;
const commentBehindQuote = /['"`][\s);]{0,10}(?:--|#|\/\*|;)/;
const operatorBehindQuote = /['"`][\s)]{0,10}[-+*/%=<>|&^~!,:?@#]/;
const commentAtEnd = /(?:--|#|\/\*)[-+\s]{0,4}\w{0,8}$/;

type Ask = (sql: SqlReading, index: number) => number | null;

const isJoint: Ask = (sql, index) => (joints.has(sql.at(index).text) ? index : null);
const isComment: Ask = (sql, index) =>
  sql.at(index).kind === "comment" || sql.at(index).text === ";" ? index : null;
const isOperator: Ask = (sql, index) =>
  sql.at(index).kind === "operator" || sql.at(index).text === "," ? index : null;

/** The first piece for which `ends` has an end, asked at each token that `begins`. */
const findFrom = (text: string, begins: Ask, ends: Ask): string | null => {
  const sql = readSql(text);
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const end = begins(sql, index) === null ? null : ends(sql, index);
    if (end !== null) return sql.piece(Math.max(0, index - 2), end);
  }
  return null;
};

type Condition = { left: Operand; operator: string; right: Operand | null; end: number };

const comparisons = wordSet("= == <> != < > <= >= <=> ~ !~ ~* ~~ :=");
const wordComparisons = wordSet("like rlike regexp in between is glob match ilike similar sounds");

/** The comparison that begins at a token: two operands, or one alone with an empty operator. */
const readCondition = (sql: SqlReading, start: number): Condition | null => {
  const left = readOperand(sql, start);
  if (left === null) return null;
  let at = left.end;
  if (sql.at(at).text === "not") at += 1;
  const { text } = sql.at(at);
  if (!comparisons.has(text) && !wordComparisons.has(text))
    return { left, operator: "", right: null, end: left.end };
  const isDouble =
    text === "similar" || text === "sounds" || (text === "is" && sql.at(at + 1).text === "not");
  const right = readOperand(sql, at + (isDouble ? 2 : 1));
  // "1 is 2" is a sentence: databases ask that of NULL, TRUE and FALSE.
  if (text === "is" && right !== null && !/^(?:null|true|false|not|unknown|json)$/.test(right.name))
    return { left, operator: "", right: null, end: left.end };
  return { left, operator: text, right, end: right?.end ?? at + 1 };
};

const isFixed = (operand: Operand | null): boolean => operand?.type === "literal" || operand?.type === "open";

const constantCondition: Ask = (sql, index) => {
  const condition = readCondition(sql, index + 1);
  if (condition === null || condition.right === null || !isFixed(condition.left)) return null;
  const { left, operator, right, end } = condition;
  const isStrong = isFixed(right) || (right.type === "query" && operator !== "is");
  if (!isStrong || (left.type === "open" && right.type !== "open")) return null;
  // "… and 3 > 2" is arithmetic of everyday; with a quote or the end of the statement beside it, it is not.
  const isPlain = /[<>]/.test(operator) && left.name !== right.name;
  return isPlain && !followsQuote(sql, index) && sql.at(end).kind !== "comment" ? null : end;
};

const quotedCondition: Ask = (sql, index) => {
  if (!followsQuote(sql, index) || isQuotedWord(sql, index)) return null;
  const condition = readCondition(sql, index + 1);
  if (condition === null) return null;
  const { left, operator, right, end } = condition;
  if (left.type === "query" || (left.type === "call" && isTelling(left))) return end;
  if (right !== null) {
    // "'yes' or 'no' is all I ask": a word compares with a constant, or the rest is cut off.
    const isProse = wordComparisons.has(operator) && right.type === "name" && !endsStatement(sql, end);
    return isProse || (left.type === "name" && isMark(sql, index)) ? null : end;
  }
  if (left.type === "open")
    return followsForeignQuote(sql, index) && sql.text.length - sql.at(index).at < 64 ? end : null;
  if (left.type === "literal" || left.type === "call") {
    // `or ''*'`: the last quote is for the query's own one.
    const isJoined = sql.at(end).kind === "operator" && sql.at(end + 1).kind === "quote";
    return followsForeignQuote(sql, index) && (isJoined || endsStatement(sql, end)) ? end : null;
  }
  return followsForeignQuote(sql, index) && sql.at(end).kind === "comment" ? end : null;
};

/** "the 'or' gate": a word of a sentence between quotes, blanks around them. */
const isQuotedWord = (sql: SqlReading, index: number): boolean => {
  const { at, text } = sql.at(index);
  const [open, close] = [sql.at(index - 1), sql.at(index + 1)];
  const isInQuotes = open.text === close.text && open.at === at - 1 && close.at === at + text.length;
  return (
    isInQuotes &&
    sql.text[at - 2] === " " &&
    sql.at(index + 2).kind === "word" &&
    sql.text[close.at + 1] === " "
  );
};

/** `'a' | b = c` and its like are code of other languages. */
const isMark = (sql: SqlReading, index: number): boolean => /^(?:&|\||if|&&|\|\|)$/.test(sql.at(index).text);

const isTelling = ({ name }: Operand): boolean => databaseFunctions.has(name) || name.startsWith("@");

const cutOff: Ask = (sql, index) => {
  if (sql.at(index).text === ";") return endsTheValue(sql, index) ? index + 1 : null;
  let before = index;
  while (before > index - 4 && sql.at(before - 1).text === ";") before -= 1;
  if (!followsForeignQuote(sql, before)) return null;
  const { text, at } = sql.at(index);
  const rest = sql.text.slice(at + text.length).trim();
  return /^[-+ ]{0,4}\w{0,8}$/.test(rest) && sql.at(index - 1).at + sql.at(index - 1).text.length > 1
    ? index + 1
    : null;
};

const continuation =
  /^(?:or|and|xor|is|not|notnull|isnull|like|in|between|collate|union|order|group|having|limit|offset|div|mod|r?like|regexp|glob|match|as|intersect|except|returning|for|escape|\\|\\||&&|[-+*/%=<>^&|~]|[<>!]=|<>|::|->>?)$/;

/** From a quote that the text has not opened to a comment at its end: `x' is not null--`, `x'-email--`. */
const cutExpression: Ask = (sql, index) => {
  const { text, at, kind } = sql.at(index);
  if (kind !== "comment" || !/^[-+\s]{0,4}\w{0,8}$/.test(sql.text.slice(at + text.length))) return null;
  for (let start = index - 1; start > index - 14 && start > 0; start -= 1) {
    const isStart = continuation.test(sql.at(start).text) && followsForeignQuote(sql, start);
    if (isStart && start < index - 1) return index + 1;
  }
  return null;
};

/** A semicolon right behind the one quote there is; inches and plurals stand before other things. */
const endsTheValue = (sql: SqlReading, index: number): boolean => {
  if (index < 2 || !followsForeignQuote(sql, index)) return false;
  const quote = sql.at(index - 1);
  const isOnly = sql.text.indexOf("'") === quote.at && sql.text[quote.at - 1] !== "s";
  return (
    index === sql.tokens.length - 1 || sql.at(index + 1).kind === "comment" || (quote.text === "'" && isOnly)
  );
};

/** Values that are nothing but quotes around an operator: `'='`, `'||'`, `'-'`. */
const onlyOperators =
  /^\s?['"]\s?(?:--|#|\/\*)\s?$|^\s?\w{0,16}['"]\s?(?:=|\|\||&&|[-+*/%^&|<>]|<>|!=|<=>|like|div|mod|regexp|rlike|xor|is|in)\s?['"]\s?$|^\s?\w{0,16}['"]\)?\s?(?:(?:is|or|and|x?or|like|in|div|mod)\b|[-+*/%^&|=<>])[^'"]{0,32}(?:\b(?:x?or|and|like|in|div|mod)|[-+*%^&|=])\s?\(?['"]\s?$|^\s?['"]\w{0,16}['"]\s?(?:=|!=|<>|<=>)\s?['"]\w{0,16}['"]?\s?$/;

const joinedExpression: Ask = (sql, index) => {
  if (!followsQuote(sql, index)) return null;
  const operand = readOperand(sql, index + 1);
  if (operand === null) return null;
  if (operand.type === "query") return operand.end;
  if (operand.type === "call" && isTelling(operand)) return operand.end;
  const isCut = operand.type === "literal" && sql.at(operand.end).kind === "comment";
  return isCut && followsForeignQuote(sql, index) ? operand.end : null;
};

const opening =
  /^\s?[-+(]{0,3}(?:\d{1,32}(?:\.\d+)?|null|true|false|(?=(?:or|and|xor|\|\||&&)[\s(]))[\s)]{0,6}/;

/** `1 or x=1 --`, `1) and length(password)>5`: all of a text that begins with a number. */
const numericCondition = (sql: SqlReading): string | null => {
  const start = opening.exec(sql.text);
  if (start === null) return null;
  const index = sql.tokens.findIndex(({ at }) => at >= start[0].length);
  if (index === -1 || index > 12 || isJoint(sql, index) === null) return null;
  const condition = readCondition(sql, index + 1);
  if (condition === null) return null;
  const { left, right, end } = condition;
  const isDone = endsStatement(sql, end);
  if (right !== null && left.type !== "open") {
    // "or x = y" may be one too, unless both are the same, one is a function's or a comment follows.
    if (
      start[0].trim() === "" &&
      sql.at(end).kind !== "comment" &&
      (left.name !== right.name || !isDone) &&
      right.type !== "call"
    )
      return null;
    // "2 or 3 = fine" is a sentence, unless a comment cuts off the rest.
    if (left.type === "literal" && right.type === "name" && sql.at(end).kind !== "comment") return null;
    return isDone || left.type !== "name" ? sql.piece(0, end) : null;
  }
  if (left.type === "query" || (left.type === "call" && isTelling(left))) return sql.piece(0, end);
  return left.type === "literal" && sql.at(end).kind === "comment" ? sql.piece(0, end) : null;
};

const keyword =
  /^(?:or|and|xor|like|union|select|having|group|order|limit|between|is|in|not|div|mod|as|from|where)$/;

/** What honest texts have now and then, for those who want to see more: each level finds much for little that is honest. */
export const eagerPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5060,
    paranoia: 3,
    title: "Operator or keyword behind a closed string",
    needs: quotes,
    find: (text) => {
      const sql = readSql(text);
      const index = sql.tokens.findIndex(
        ({ kind, text: piece }, place) =>
          (kind === "operator" || keyword.test(piece)) && followsForeignQuote(sql, place),
      );
      return index === -1 ? null : sql.piece(index - 1, index + 2);
    },
  },
  matching(
    {
      ...shared,
      id: 5062,
      paranoia: 2,
      title: "Logic and a comparison",
      needs: ["=", "<", ">", "like", "is"],
    },
    /(?:\b(?:or|and|xor|not|having)\b|\|\||&&)\s?!?\s?\(?\s?['"`]?[\w.]{1,32}['"`]?\s?(?:=|<|>|!=|<>|\blike\b|\bis\b)/,
  ),
  matching(
    { ...shared, id: 5064, paranoia: 2, title: "Operator and nothing else" },
    /^\s?(?:\|\||&&|[=<>!]=|<>|<=>|->>?|r?like|regexp|xor|div)\s?$/,
  ),
  matching({ ...shared, id: 5067, paranoia: 2, title: "Hexadecimal text" }, /(?:^|[^\w])0x[\da-f]{3,32}/),
  {
    ...shared,
    id: 5061,
    paranoia: 4,
    title: "Call of a function that databases have too",
    needs: ["("],
    find: (text) => {
      const sql = readSql(text);
      const index = sql.tokens.findIndex(
        ({ text: piece }, place) => piece === "(" && sharedFunctions.has(sql.at(place - 1).text),
      );
      return index === -1 ? null : sql.piece(index - 1, index + 2);
    },
  },
  matching(
    { ...shared, id: 5066, paranoia: 3, title: "Quote at an edge of a value, never closed" },
    /^['"`][^'"`]*$|^[^'"`]*['"`]$/,
  ),
  matching(
    {
      id: 6060,
      category: "cross-site-scripting",
      severity: "critical",
      view: "markup",
      paranoia: 4,
      title: "Any element",
      needs: ["<"],
    },
    /<[/!?]?[a-z]/,
  ),
];
