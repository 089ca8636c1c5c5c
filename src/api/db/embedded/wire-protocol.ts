/** Message types of the PostgreSQL protocol 3.0 that the embedded server has to know. */
export const fromClient = {
  query: byte("Q"),
  parse: byte("P"),
  sync: byte("S"),
  flush: byte("H"),
  terminate: byte("X"),
  copyData: byte("d"),
  copyDone: byte("c"),
  copyFail: byte("f"),
} as const;

export const fromServer = {
  error: byte("E"),
  ready: byte("Z"),
  notification: byte("A"),
  copyIn: byte("G"),
} as const;

/** Transaction status in ReadyForQuery: none, open, or failed. */
export const txStatus = { idle: byte("I"), open: byte("T"), failed: byte("E") } as const;

function byte(letter: string): number {
  return letter.charCodeAt(0);
}

/** One message: its letter, its length and its body. */
export const message = (letter: string, ...body: (string | Uint8Array)[]): Buffer => {
  const parts = body.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  const header = Buffer.alloc(5);
  header.write(letter, 0);
  header.writeInt32BE(
    parts.reduce((sum, part) => sum + part.length, 4),
    1,
  );
  return Buffer.concat([header, ...parts]);
};

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** The consecutive messages in `bytes`, which must end with a complete one. */
export function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start + 5 <= bytes.length; ) {
    const end = start + 1 + bytes.readInt32BE(start + 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** An ErrorResponse. `code` is the SQLSTATE; after `FATAL` the connection is expected to close. */
export const errorResponse = (severity: "ERROR" | "FATAL", code: string, text: string): Buffer =>
  message("E", `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`);

export const readyForQuery = (status: number): Buffer => message("Z", Uint8Array.of(status));

/** Everything that a client expects between its start-up packet and its first query. */
export const greeting = (serverVersion: string, connectionId: number): Buffer => {
  const parameters = {
    server_version: serverVersion,
    server_encoding: "UTF8",
    client_encoding: "UTF8",
    DateStyle: "ISO, MDY",
    IntervalStyle: "postgres",
    TimeZone: "UTC",
    integer_datetimes: "on",
    standard_conforming_strings: "on",
  };
  return Buffer.concat([
    message("R", int32(0)),
    ...Object.entries(parameters).map(([name, value]) => message("S", `${name}\0${value}\0`)),
    message("K", int32(connectionId), int32(0)),
    readyForQuery(txStatus.idle),
  ]);
};

/** The SQL text of a Query or Parse message. */
export const sqlOf = (frame: Buffer): string => {
  const start = frame[0] === fromClient.parse ? frame.indexOf(0, 5) + 1 : 5;
  return frame.toString("utf8", start, frame.indexOf(0, start));
};

/** The name that a Parse message gives its statement; empty for the unnamed one. */
export const statementNameOf = (frame: Buffer): string => frame.toString("utf8", 5, frame.indexOf(0, 5));
