import { connect, type Socket } from "node:net";

/** What a server sent back over a connection. `status` is `null` when it closed without a word, or said nothing in time. */
export type RawAnswer = {
  status: number | null;
  headers: Map<string, string>;
  body: string;
  /** Whether the server ended the connection. */
  isClosed: boolean;
  ms: number;
};

type RawOptions = {
  /** How long to wait for the whole answer; 5 s unless said. */
  withinMs?: number;
  /** Sent piece by piece after the first bytes, `everyMs` apart, until the server answers. */
  pieces?: { of: Iterable<string>; everyMs: number };
};

/** Opens a connection of its own to the server at `url`. */
export const openConnection = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const socket = connect({ host: "127.0.0.1", port: Number(port) }, () => resolve(socket));
    socket.once("error", reject);
  });

/** Sends exactly these bytes to the server at `url` and reads one answer. Connections that break are answers too. */
export const rawRequest = async (
  url: string,
  bytes: string | Uint8Array,
  { withinMs = 5_000, pieces }: RawOptions = {},
): Promise<RawAnswer> => {
  const socket = await openConnection(url);
  const startedAt = performance.now();
  const isHead = typeof bytes === "string" && bytes.startsWith("HEAD ");
  let received: Buffer = Buffer.alloc(0);
  const { promise: end, resolve } = Promise.withResolvers<boolean>();
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (isWhole(received, isHead)) resolve(false);
  });
  // A reset is how some refusals look.
  socket.on("error", () => resolve(true));
  socket.on("close", () => resolve(true));
  const timer = setTimeout(() => resolve(false), withinMs);
  socket.write(bytes);
  const dripping = pieces ? drip(socket, pieces) : null;
  const isClosed = await end;
  clearTimeout(timer);
  if (dripping !== null) clearInterval(dripping);
  socket.destroy();
  return { ...parse(received), isClosed, ms: performance.now() - startedAt };
};

const drip = (socket: Socket, { of, everyMs }: { of: Iterable<string>; everyMs: number }) => {
  const pieces = of[Symbol.iterator]();
  return setInterval(() => {
    const next = pieces.next();
    if (!next.done && !socket.destroyed) socket.write(next.value);
  }, everyMs);
};

const isWhole = (received: Buffer, isHead: boolean): boolean => {
  const { status, headers, body } = parse(received);
  if (status === null) return false;
  const length = headers.get("content-length");
  return isHead || (length !== undefined && Buffer.byteLength(body) >= Number(length));
};

const parse = (received: Buffer): Pick<RawAnswer, "status" | "headers" | "body"> => {
  const text = withoutInterim(received.toString("utf8"));
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { status: status ? Number(status) : null, headers, body: end < 0 ? "" : text.slice(end + 4) };
};

/** Leaves out `100 Continue` and its like: the answer comes behind them. */
const withoutInterim = (text: string): string => text.replace(/^(?:HTTP\/1\.1 1\d\d[\s\S]*?\r\n\r\n)+/, "");
