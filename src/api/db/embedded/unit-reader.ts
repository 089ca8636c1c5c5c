import { fromClient, message, sqlOf, statementNameOf } from "./wire-protocol.ts";

/** Messages that the engine must get in one go: everything up to and including a Query, Sync or Flush. */
export type Unit = {
  bytes: Buffer;
  /** Ends with Flush: more of the same must follow before the engine reports that it is ready. */
  isUnfinished: boolean;
};

/** What a client turns out to say. */
export type UnitListener = {
  /** It asks whether the connection may be encrypted. */
  onEncryptionRequest(): void;
  onStartup(): void;
  onUnit(unit: Unit): void;
  /** It names a prepared statement, which exists until it is closed. */
  onStatement(name: string): void;
  /** It says goodbye, or something that is not the protocol. */
  onEnd(): void;
};

/** Cuts the bytes of one client into units. Feed it the chunks as they arrive. */
export const createUnitReader = (listener: UnitListener): ((chunk: Buffer) => void) => {
  let framing: Framing = startupFraming;
  let frames: Buffer[] = [];
  let chunks: Buffer[] = [];
  let received = 0;
  // How many bytes make the next step possible: joining the chunks sooner would copy long messages many times.
  let needed = framing.header;
  let isEnded = false;

  const end = (): void => {
    isEnded = true;
    listener.onEnd();
  };

  const readStartup = (packet: Buffer): void => {
    const code = packet.readInt32BE(4);
    if (code === sslRequest || code === gssRequest) listener.onEncryptionRequest();
    else if (code >> 16 === 3) {
      framing = messageFraming;
      listener.onStartup();
    } else end();
  };

  const readMessage = (frame: Buffer): void => {
    const type = frame[0] ?? 0;
    if (type === fromClient.terminate) {
      end();
      return;
    }
    // As on a server, what is left of a refused COPY is passed over.
    if (copyTypes.includes(type)) return;
    if (type === fromClient.parse && statementNameOf(frame) !== "") {
      listener.onStatement(statementNameOf(frame));
    }
    const hasSql = type === fromClient.query || type === fromClient.parse;
    frames.push(hasSql ? guardCopy(frame) : frame);
    if (!unitEnds.includes(type)) return;
    const bytes = Buffer.concat(frames);
    frames = [];
    listener.onUnit({ bytes, isUnfinished: type === fromClient.flush });
  };

  /** Takes what is whole off the front of `bytes`; returns the rest. */
  const read = (bytes: Buffer): Buffer => {
    let rest = bytes;
    while (!isEnded) {
      needed = framing.header;
      if (rest.length < needed) break;
      const length = framing.lengthOf(rest);
      if (length < framing.header || length > framing.longest) {
        end();
        break;
      }
      needed = length;
      if (rest.length < length) break;
      const whole = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (framing === startupFraming) readStartup(whole);
      else readMessage(whole);
    }
    return rest;
  };

  return (chunk) => {
    if (isEnded) return;
    chunks.push(chunk);
    received += chunk.length;
    if (received < needed) return;
    const rest = read(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    chunks = [rest];
    received = rest.length;
  };
};

/** How a packet announces its length. */
type Framing = { header: number; longest: number; lengthOf(bytes: Buffer): number };

const startupFraming: Framing = { header: 8, longest: 10_000, lengthOf: (bytes) => bytes.readInt32BE(0) };
const messageFraming: Framing = {
  header: 5,
  longest: 256 * 1024 * 1024,
  lengthOf: (bytes) => 1 + bytes.readInt32BE(1),
};

const sslRequest = 80877103;
const gssRequest = 80877104;
const unitEnds: readonly number[] = [fromClient.query, fromClient.sync, fromClient.flush];
const copyTypes: readonly number[] = [fromClient.copyData, fromClient.copyDone, fromClient.copyFail];

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
