import { fromClient, message, sqlOf, statementNameOf } from "./wire-protocol.ts";

/**
 * Puts a statement that fails with `0A000` in the place of a Query or Parse with `COPY … FROM STDIN`, which the
 * engine does not survive. The engine raises the error itself, so the transaction fails as it would on a server.
 */
export const guardCopy = (frame: Buffer): Buffer => {
  if (!hasCopyFromStdin(sqlOf(frame))) return frame;
  if (frame[0] === fromClient.query) return message("Q", `${refusal}\0`);
  return message("P", `${statementNameOf(frame)}\0${refusal}\0`, Buffer.alloc(2));
};

const refusal =
  "DO $atrium$BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = 'COPY FROM STDIN is not supported by the embedded database'; END$atrium$";

/** Whether one of the statements in `sql` reads from the client. Comments, strings and case make no difference. */
export const hasCopyFromStdin = (sql: string): boolean => {
  if (!/stdin/i.test(sql)) return false;
  return bareSql(sql)
    .split(";")
    .some((statement) => /^\s*copy\b.*\bfrom\s+stdin\b/is.test(statement));
};

/** `sql` with comments as blanks, and strings, quoted names and dollar-quoted bodies as `_`. */
const bareSql = (sql: string): string => {
  let bare = "";
  for (let at = 0; at < sql.length; ) {
    const token = tokenAt(sql, at);
    bare += blank.test(token) ? " " : token.replace(opaque, "_");
    at += token.length;
  }
  return bare;
};

const tokenAt = (sql: string, at: number): string => {
  if (sql.startsWith("/*", at)) return sql.slice(at, endOfComment(sql, at));
  tokens.lastIndex = at;
  return tokens.exec(sql)?.[0] ?? sql.charAt(at);
};

// Escape string, word, line comment, string, quoted name, dollar-quoted body; in PostgreSQL's own order of precedence.
const tokens =
  /e'(?:[^'\\]|\\.|'')*'|[a-z_\x80-\uffff][\w$\x80-\uffff]*|--[^\r\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([a-z_]\w*)?\$.*?\$\1\$/isy;
const blank = /^(?:--|\/\*)/;
const opaque = /^(?:e'|['"$]).+$/is;

/** Where the block comment that begins at `start` ends; such comments nest. */
const endOfComment = (sql: string, start: number): number => {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === "/*" ? 1 : -1;
    if (depth === 0) return start + index + 2;
  }
  return sql.length;
};
