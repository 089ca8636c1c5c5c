import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { words } from "../words.ts";
import { followsForeignQuote, followsQuote, noToken, readSql, type SqlReading } from "./sql-reader.ts";

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "sql" } as const;

type Shape = { next: ReadonlySet<string>; hasTarget: boolean };

const shapesIn = (list: string, hasTarget: boolean): [string, Shape][] =>
  list
    .trim()
    .split("\n")
    .map((line) => {
      const [first = "", ...next] = words(line);
      return [first, { next: new Set(next), hasTarget }];
    });

/** How statements that change something begin: a word, and one of those behind it. Most go on with what is changed. */
const shapes: ReadonlyMap<string, Shape> = new Map([
  ...shapesIn(
    `
    drop table database schema view index user login procedure function trigger column role
    truncate table
    alter table database user login schema role system session
    create table database user login view trigger procedure function role extension alias or temporary
    insert into
    replace into
    delete from
    backup database log
    grant all select insert dba connect execute super
    revoke all select insert execute
    bulk insert
    `,
    true,
  ),
  ...shapesIn(
    `
    attach database
    execute immediate
    load data
    waitfor delay time
    `,
    false,
  ),
]);

/** Words that begin a statement wherever one ended. */
const starters =
  /^(?:select|insert|update|delete|drop|alter|create|truncate|exec|execute|declare|shutdown|waitfor|begin|call|grant|revoke|merge|copy|attach|pragma|load|handler|rename|replace|set|union|if|do|while|use|reconfigure|kill|vacuum|with|backup|restore|show|describe|explain)$/;

const findStacked = (sql: SqlReading): string | null => {
  for (let index = 0; index < sql.tokens.length; index += 1) {
    if (sql.at(index).text !== ";" || !starters.test(sql.at(index + 1).text)) continue;
    const isBehind =
      index === 0 ||
      isChange(sql, index + 1) ||
      followsQuote(sql, index) ||
      sql.at(index - 1).text === ")" ||
      (sql.at(index - 1).kind === "number" && index <= 2);
    if (isBehind && (isStatement(sql, index + 1) || followsBreak(sql, index)))
      return sql.piece(index - 1, index + 4);
  }
  return null;
};

/** Behind the end of the query's own string any beginning of a statement will do. */
const followsBreak = (sql: SqlReading, index: number): boolean =>
  followsForeignQuote(sql, index) && inner.test(sql.at(index + 1).text) && sql.at(index + 2) !== noToken;

const inner = /^(?:select|do|call|exec|set|declare|pragma|if|while|begin)$/;

/** What such a word goes on with in a statement and not in a sentence. */
const isInner = (sql: SqlReading, at: number): boolean => {
  const { text } = sql.at(at);
  const next = sql.at(at + 1);
  const after = sql.at(at + 2);
  if (next.kind === "variable" || next.kind === "quote" || next.text === "(") return true;
  if (text === "select" && next.kind !== "word") return next !== noToken;
  if (/^(?:if|while)$/.test(text)) return /^(?:not|exists)$/.test(next.text) && after.text === "(";
  if (text === "set") return after.text === "=" || /^(?:global|session)$/.test(next.text);
  if (text === "declare")
    return /^(?:int|integer|varchar2?|number|cursor|record|begin)$/.test(after.text) || next.text === "begin";
  if (text === "begin" && /^(?:tran|transaction|declare|select|update|insert|delete)$/.test(next.text))
    return true;
  if (text === "exec" && next.text.includes("_")) return true;
  const isCalled =
    after.at === next.at + next.text.length && /^[.(]$/.test(after.text) && sql.at(at + 3) !== noToken;
  return (
    isCalled ||
    (text === "select" && /^(?:,|from|case|null|current_user)$/.test(after.text)) ||
    (text === "pragma" && after.text === "=")
  );
};

/** Statements that no sentence begins with: "; drop table x", not "; insert into the slot". */
const isChange = (sql: SqlReading, at: number): boolean =>
  /^(?:drop|alter|create|truncate|waitfor|execute|attach|bulk|exec|declare|shutdown|copy)$/.test(
    sql.at(at).text,
  );

/** What follows is no sentence: a known shape, an operand, or the end. */
const isStatement = (sql: SqlReading, at: number): boolean => {
  const { text } = sql.at(at);
  const next = sql.at(at + 1);
  const shape = shapes.get(text);
  if (shape?.next.has(next.text)) return !shape.hasTarget || endOfTarget(sql, at + 2) !== null;
  if (/^(?:truncate|drop)$/.test(text)) return next.text === "[" || next.text === "`";
  if (/^(?:shutdown|reconfigure|vacuum)$/.test(text))
    return next === noToken || next.kind === "comment" || next.text === ";" || next.text === "with";
  if (inner.test(text)) return isInner(sql, at);
  if (text === "copy") return /^(?:to|from|\()$/.test(sql.at(at + 2).text) || next.text === "(";
  if (text === "update") return sql.at(at + 2).text === "set";
  return /^(?:tables|databases|columns|into|schema|table|users?)$/.test(next.text) || next.text === "(";
};

const findStatement = (sql: SqlReading): string | null => {
  for (let index = 0; index < sql.tokens.length; index += 1) {
    const shape = shapes.get(sql.at(index).text);
    if (shape === undefined || !shape.next.has(sql.at(index + 1).text)) continue;
    const end = shape.hasTarget ? endOfTarget(sql, index + 2) : null;
    if (end === null) continue;
    const before = sql.at(index - 1);
    const isBroken = followsQuote(sql, index) || before.text === ";" || before.text === ")";
    if (isBroken || isGrammar(sql, index, end)) return sql.piece(index, end + 1);
  }
  return null;
};

/** The token after a table's name, schema and all. */
const endOfTarget = (sql: SqlReading, start: number): number | null => {
  let at = start;
  while (/^(?:if|not|exists|table|temporary|only|ignore|replace|or)$/.test(sql.at(at).text)) at += 1;
  const first = sql.at(at);
  if (first.kind !== "word" && first.kind !== "quote") return null;
  at += 1;
  while (
    at < start + 12 &&
    ((sql.at(at).text === "." && isJoined(sql, at) && sql.at(at + 1).kind !== "number") ||
      sql.at(at - 1).text === "." ||
      sql.at(at).kind === "quote" ||
      sql.at(at - 1).kind === "quote") &&
    sql.at(at) !== noToken
  )
    at += 1;
  return at;
};

/** A full stop has a blank behind it, the dot of a name none. */
const isJoined = (sql: SqlReading, dot: number): boolean => sql.at(dot).at + 1 === sql.at(dot + 1).at;

/** Without a break before it, a statement must go on as only statements do. */
const isGrammar = (sql: SqlReading, index: number, end: number): boolean => {
  const { text } = sql.at(index);
  const after = sql.at(end);
  if (text === "insert" && index === 0 && after === noToken) return true;
  if (text === "insert" || text === "replace")
    return /^(?:values|select|set|\()$/.test(after.text) && isValues(sql, end);
  if (text === "delete")
    return (after.text === "where" && sql.at(end + 1).kind !== "mark") || after.kind === "comment";
  if (text === "create")
    return after.text === "(" || after.text === "identified" || sql.at(end - 1).text === "function";
  if (text === "alter")
    return /^(?:add|drop|modify|rename|identified|set|change|disable|enable)$/.test(after.text);
  if (text === "grant") return /^(?:on|to|privileges|,)$/.test(after.text);
  if (text === "bulk" || text === "backup") return /^(?:from|to)$/.test(after.text);
  return (
    after.kind === "comment" ||
    (after.text === ";" &&
      (sql.at(end + 1) === noToken ||
        sql.at(end + 1).kind === "comment" ||
        starters.test(sql.at(end + 1).text))) ||
    after.text === "cascade" ||
    (index <= 1 && after === noToken && sql.at(end - 1).text !== ".")
  );
};

const isValues = (sql: SqlReading, at: number): boolean => {
  const { text } = sql.at(at);
  if (text === "(")
    return sql.text.includes("values", sql.at(at).at) || sql.text.includes("select", sql.at(at).at);
  return text !== "values" || sql.at(at + 1).text === "(";
};

/** Statements of their own. */
export const statementPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5020,
    title: "Second statement",
    needs: [";"],
    find: (text) => (/;\s?[a-z]/.test(text) ? findStacked(readSql(text)) : null),
  },
  {
    ...shared,
    id: 5021,
    title: "Statement that changes data",
    needs: [...shapes].flatMap(([word, { next }]) => [...next].map((second) => `${word} ${second}`)),
    find: (text) => findStatement(readSql(text)),
  },
  matching(
    { ...shared, id: 5022, title: "Variable declared or set" },
    /\bdeclare\s?@\w{1,32}\s?(?:as\s)?(?:n?(?:var)?char|int|table|sysname|bigint|nvarchar)|(?:^|[;'")])\s?declare\s@\w|\bdeclare\s\w{1,32}\s(?:integer|varchar2?|number|cursor|refcursor|record)\b|[;'")]\s?set\s?@\w{1,32}\s?=|\bset\s@\w{1,32}\s?=\s?(?:0x|'|"|\()/,
  ),
  matching(
    { ...shared, id: 5023, title: "Procedure executed" },
    /\bexec(?:ute)?[\s+(]{1,3}(?:master|msdb|tempdb|model|sys)?\s?\.{0,2}\s?(?:dbo)?\s?\.?\s?(?:xp_|sp_)\w{2,}|\bexec(?:ute)?\s(?:master|msdb|tempdb)\s?\.|\bexec(?:ute)?\s?\(\s?(?:@|'|char\()|\bexecute\simmediate\b|\bexec(?:ute)?\s(?:(?:sp|xp)_|u?sp\w{3,32}\s['@])/,
  ),
  matching({ ...shared, id: 5024, title: "Pause of the database" }, /\bwaitfor\s{0,2}(?:delay|time)\b/),
  matching(
    { ...shared, id: 5025, title: "Rows changed" },
    /\bgrant\s(?:all|select|insert|update|delete|execute|usage|file|super)\b[\w\s,]{0,32}\son\s[\w.*"`]{1,64}\sto\s|\b(?:insert|replace)\s[\w.`]{1,64}\s?\([^()]{0,128}\)\s?values?\s?\(|\bupdate\s[\w.`"[\]]{1,64}\sset\s[\w.`"[\]]{1,64}\s?=/,
  ),
  matching(
    { ...shared, id: 5027, title: "File loaded into a table, or a database attached" },
    /\bload\s(?:data|xml)\s(?:low_priority\s|concurrent\s)?(?:local\s)?infile\b|\battach\s(?:database\s)?['"(]|\bcreate\s(?:or\sreplace\s)?(?:aggregate\s)?function\s[\w.]{1,64}\s?(?:\([^)]{0,128}\)\s?)?returns\b/,
  ),
  matching(
    { ...shared, id: 5026, title: "Rows read with HANDLER or COPY" },
    /\bhandler\s[\w.`]{1,64}\s(?:open|read)\b|\bcopy\s[\w.()"`]{1,64}\s?(?:from|to)\s(?:program|'|stdin|stdout)/,
  ),
];

const document = { category: "sql-injection", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Operators of databases that take queries as documents. */
export const documentQueryPatterns: readonly Pattern[] = [
  {
    ...document,
    id: 5050,
    title: "Operator of a document database",
    needs: ["$"],
    find: (text, { raw, name }) =>
      operator.exec(text)?.[0] ?? (name.endsWith(raw.toLowerCase()) ? ownName(name) : null),
  },
  matching(
    {
      ...document,
      id: 5051,
      title: "Script for a document database",
      needs: ["this.", "return", "db.", "sleep("],
    },
    /['"]\s?(?:;|\|\||&&)\s?(?:return\b|this\.\w|db\.\w|sleep\()|\bdb\.(?:\w{1,32}\.)?(?:find|insert|remove|update|delete|aggregate|getsiblingdb|drop|getcollection\w*|dropdatabase|eval|adminCommand|runcommand|injection)\w{0,16}\(|\bthis\.\w{1,32}(?:\.match\(|\[|\s?[!=]==?\s?['"])/,
  ),
  matching(
    {
      ...document,
      id: 5052,
      title: "Query of a graph database",
      needs: ["match", "dbms.", "load csv", "apoc.", "__schema", "__type"],
    },
    /\bmatch\s{1,8}\(\s{0,4}(?:\w{0,2}|\w{0,24}\s{0,4}:\s{0,4}\w{1,32})\s{0,4}\)[^\n]{0,80}?\b(?:return|delete|detach|set|remove)\b|\bcall\s{1,8}(?:dbms|db|apoc)\.\w|\bload\s{1,8}csv\s{1,8}(?:with\s{1,8}headers\s{1,8})?from\s{1,8}["']|\b__schema\s{0,4}\{|\b__type\s{0,4}\(\s{0,4}name|\bapoc\.(?:load|cypher|export|import|util)\b/,
  ),
  matching(
    { ...document, id: 5053, title: "Function for a document database" },
    // What decides about records, and what `mapReduce` calls.
    /^\s{0,8}["']?function\s{0,4}\w{0,16}\(\w{0,16}\)\s{0,4}\{[^\n]{0,80}?\b(?:return\s{1,4}(?:true|1\b|this\.|!|sleep)|emit\s{0,4}\(|sleep\s{0,4}\(|while\s{0,4}\()/,
  ),
];

const operators =
  "n?eq?|gte?|lte?|n?in|regex|where|exists|n?or|and|not|expr|elemmatch|type|mod|all|size|function|jsonschema|text|search|lookup|unionwith|accumulator|near|natural|comment|rand|set|unset|inc|push|out|merge";
const operator = new RegExp(`(?:^|[\\[.{"'\\s,(])\\$(?:${operators})["']?\\s{0,4}[\\]:]`);
const name = new RegExp(`(?:^|\\.)\\$(?:${operators})$`);
const ownName = (text: string): string | null => name.exec(text)?.[0] ?? null;
