import type { Pattern } from "../engine-types.ts";
import { matching, requiredTexts } from "../matching.ts";
import {
  databaseFamily,
  databaseFunctions,
  databasePackage,
  sharedFunctions,
  tightFunctions,
} from "../sql/sql-words.ts";
import { endsStatement, followsQuote, readSql, type SqlReading } from "./sql-reader.ts";

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "sql" } as const;

/** Where the numbers of databases and of old interpreters end, and fractions whose end these never reach. */
const edges = (
  "2.2250738585072007e-308 2.2250738585072011e-308 1.7976931348623157e309 1e309 1e310 4294967296 " +
  "9223372036854775808 18446744073709551615 18446744073709551616 0x7fffffffffffffff 0xffffffffffffffff"
).split(" ");

const pause =
  /(?:^|[^\w.$])(?:pg_sleep(?:_for|_until)?|sleep|benchmark|randomblob)\s?\(\s?(?:['"]?-?\d|\(|select\b|mod|[a-z]{1,16}\s?\(|if\b|@)/;

/** Whether a name that is asked for stands before a bracket, with a blank between them at most. */
const hasCall = (text: string, isMeant: (name: string) => boolean): boolean => {
  for (let open = text.indexOf("("); open !== -1; open = text.indexOf("(", open + 1)) {
    const end = text[open - 1] === " " ? open - 1 : open;
    let start = end;
    while (start > end - 64 && isNamePart(text.charCodeAt(start - 1))) start -= 1;
    if (start < end && isMeant(text.slice(start, end))) return true;
  }
  return false;
};

const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) || code === 95 || (code >= 48 && code <= 57);

const isKnown = (name: string): boolean =>
  databaseFunctions.has(name) ||
  tightFunctions.has(name) ||
  databaseFamily.test(name) ||
  tellingFunction.test(name);

const findFunction = (text: string): string | null => {
  if (!hasCall(text, isKnown)) return null;
  const sql = readSql(text);
  for (let index = 0; index < sql.tokens.length; index += 1) {
    if (sql.at(index).text !== "(" || !isDatabaseFunction(sql, index)) continue;
    // `value.substr(…)` is a method of a program.
    if (!/^[.>]$/.test(sql.at(index - 2).text)) return sql.piece(index - 1, index + 4);
  }
  return null;
};

/** Functions that say something of the server are named in prose only with their brackets apart or in the plural. */
const tellingFunction = /^(?:database|schema|user|version|system_user|session_user)$/;

const isDatabaseFunction = (sql: SqlReading, open: number): boolean => {
  const { text } = sql.at(open - 1);
  if (isMention(sql, open)) return false;
  if (
    databaseFunctions.has(text) ||
    (isTight(sql, open) && (databaseFamily.test(text) || tightFunctions.has(text)))
  )
    return true;
  const isBare =
    open === sql.tokens.length - 1 || (sql.at(open + 1).text === ")" && /^(?:database|schema)$/.test(text));
  return tellingFunction.test(text) && isTight(sql, open) && isBare && sql.at(open - 2).text !== ">";
};

/** "use concat() for it", "compress (as you like)": a name behind a word of a sentence, its brackets empty or apart. */
const isMention = (sql: SqlReading, open: number): boolean => {
  const before = sql.at(open - 2);
  const isInSentence = before.kind === "word" && !sqlWord.test(before.text);
  return isInSentence && (sql.at(open + 1).text === ")" || !isTight(sql, open));
};

const sqlWord =
  /^(?:select|and|or|where|having|union|by|then|else|when|in|from|set|like|regexp|rlike|between|not|xor|div|limit)$/;

const findShared = (text: string): string | null => {
  if (!hasCall(text, (name) => sharedFunctions.has(name))) return null;
  const sql = readSql(text);
  for (let index = 1; index < sql.tokens.length; index += 1) {
    if (sql.at(index).text !== "(" || !sharedFunctions.has(sql.at(index - 1).text)) continue;
    const before = sql.at(index - 2);
    const isBehindQuote =
      (before.kind === "operator" || sqlWord.test(before.text)) && followsQuote(sql, index - 2);
    if (isBehindQuote && isTight(sql, index)) return sql.piece(index - 3, index + 3);
    const isNested =
      sharedFunctions.has(sql.at(index + 1).text) || databaseFunctions.has(sql.at(index + 1).text);
    if (isNested && sql.at(index + 2).text === "(" && sqlWord.test(before.text))
      return sql.piece(index - 2, index + 4);
    if (
      sql.at(index - 1).text === "user" &&
      sql.at(index + 1).text === ")" &&
      before.text === "," &&
      endsStatement(sql, index + 2)
    )
      return sql.piece(index - 2, index + 2);
  }
  return null;
};

const isTight = (sql: SqlReading, open: number): boolean =>
  sql.at(open - 1).at + sql.at(open - 1).text.length === sql.at(open).at;

const catalogueTable =
  /^(?:user|db|sys\w+|tables|columns|databases|objects|schemas|xp_\w+|sp_\w+|dbo|innodb\w+|schema_table\w*|user_\w+)$/;

/** `mysql.user`, `master..sysobjects`; in the name of a host, labels stand around them. */
const isCatalogue = (sql: SqlReading, index: number): boolean => {
  if (!/^(?:mysql|master|sys|msdb|northwind)$/.test(sql.at(index).text) || sql.at(index + 1).text !== ".")
    return false;
  if (sql.at(index + 2).text === ".") return sql.at(index + 3).kind === "word";
  const isLabel = /^[.@/-]$/.test(sql.at(index - 1).text) || sql.at(index + 3).text === ".";
  return catalogueTable.test(sql.at(index + 2).text) && (!isLabel || sql.at(index + 2).text === "dbo");
};

const findPackage = (sql: SqlReading): string | null => {
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const { kind, text } = sql.at(index);
    if (kind !== "word") continue;
    if (databasePackage.test(text)) return sql.piece(index, index + 3);
    if (isCatalogue(sql, index)) return sql.piece(index, index + 3);
  }
  return null;
};

const serverVariable = /(?:^|[^\w@])@@(?:global\.|session\.|local\.)?[a-z]\w{2,40}/;
const cast =
  /[\w'")\]]\s?::\s?(?:int[248]?|integer|bool|boolean|jsonb?|numeric|varchar|bytea|regclass|oid|float[48]?|bigint|name|text|xml|date|timestamp|char|bpchar|uuid|inet|money|real|smallint|interval|time|cstring|reg(?:proc|type|role)|bit)\b|(?:^|[^\w.])(?:cast|try_cast)\s?\([^)]{1,64}\sas\s(?:n?(?:var)?char2?|int(?:eger)?|numeric|decimal|signed|unsigned|binary|text|date|xml|float|json|number)\b|(?:^|[^\w.])convert\s?\(\s?(?:int|n?varchar|[^()]{1,64}\busing\b)/;
const jsonOperator =
  /\w\s?(?:@>|<@)\s?['"][{[]|['"\])]\s?(?:@>|<@|\?[|&]|#>>?|#-|@\?|@@|->>?)\s?(?:['"\d]|array\s?\[|\$|null\b)|[\w)]\s?(?:->>?|#>>?)\s?['"][${\w]|['"}\])]\s?(?:[=<>]|<>|!=|like|->>?)\s?['"]\$[.[]|['"`]\s?[{[][^'`]{0,256}[}\]]\s?['`]\s?(?:\?|\|\||[<>=!]{1,2}|-|is\sjson)\s?(?:['"`\d]|$)|\bmember\sof\s?\(|\bis\s(?:not\s)?json\b/;
const runComment =
  /\/\*m?!(?:\d{5,6}|[a-z]{2,}|\s?(?:select|union|and|or|from|where|order|group|having|insert|update|delete)\b)|\/\*\+\s?\w/;
const looseOperator =
  /(?:^|[^\w.])if\s?\(\s?\d{1,9}\s?=(?!=)|\)\s?(?:r?like|regexp|glob)\s?[('"]|\)(?:between|xor|div|sounds)\b|['"`]\s?(?:rlike|regexp|xor|having|div|mod)\s?(?:$|[('"`\d])|\)(?:or|and|in|union|having)\(|\bhaving\(/;
const hiddenName = /(?:^|[^\w.])\d{1,16}\.?\d{0,16}e(?:\.\s?[a-z_]{3}|\(\s?(?:[a-z@'"]|\d))/;
const numbers =
  /\bn?cha?r\s?\(\s?(?:0x[0-9a-f]+|\d{1,3})\s?(?:,\s?(?:0x[0-9a-f]+|\d{1,3})\s?){2,}|\bcha?r\s?\(\s?(?:0x[0-9a-f]{1,8}|\d{1,3})\s?\)\s?(?:\|\||\+|,|&)\s?cha?r\s?\(|[=,(|+]\s?0x(?:[2-7][0-9a-f]){4,64}\s?(?:$|[),;|+\s-])/;

/** Names and writings that databases alone know. */
export const functionPatterns: readonly Pattern[] = [
  { ...shared, id: 5030, title: "Function that makes the database wait", find: matching(pause) },
  { ...shared, id: 5031, title: "Function of databases", needs: ["("], find: (text) => findFunction(text) },
  {
    ...shared,
    id: 5032,
    title: "Function of databases behind a break",
    needs: ["("],
    find: (text) => findShared(text),
  },
  {
    ...shared,
    id: 5033,
    title: "Procedure, package or catalogue of a database",
    needs: [...(requiredTexts(databasePackage) ?? []), "mysql", "master", "sys.", "msdb", "northwind"],
    find: (text) => findPackage(readSql(text)),
  },
  { ...shared, id: 5034, title: "Variable of the database server", find: matching(serverVariable) },
  { ...shared, id: 5035, title: "Cast of a value", needs: ["::", "cast", "convert"], find: matching(cast) },
  {
    ...shared,
    id: 5036,
    title: "JSON operator of databases",
    needs: [
      "@>",
      "<@",
      "#>",
      "#-",
      "?|",
      "?&",
      "@?",
      "@@",
      "->",
      "'$",
      '"$',
      "}'",
      "]'",
      "} '",
      "] '",
      "}`",
      "]`",
      "} `",
      "] `",
      "member of",
      "json",
    ],
    find: matching(jsonOperator),
  },
  { ...shared, id: 5037, title: "Comment that MySQL runs", view: "plain", find: matching(runComment) },
  { ...shared, id: 5038, title: "Number that hides a name", needs: ["e.", "e("], find: matching(hiddenName) },
  { ...shared, id: 5039, title: "Text written as numbers", find: matching(numbers) },
  {
    ...shared,
    id: 5040,
    title: "Number at the edge of what programs count",
    needs: edges,
    find: (text) => (edges.includes(text.trim().replace(/^-/, "")) ? text : null),
  },
  {
    ...shared,
    id: 5041,
    title: "Operator between closed parentheses or strings",
    find: matching(looseOperator),
  },
];
