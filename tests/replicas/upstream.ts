import { connect, type Socket } from "node:net";

/** An answer as it came, with its body whole. */
export type UpstreamAnswer = { status: number; headers: [name: string, value: string][]; body: Buffer };

/** One server behind a proxy, and the connections that are kept open to it. */
export type Upstream = {
  /** Sends a request once; rejects when the connection breaks before the answer is whole. */
  send(request: string, body: Uint8Array, isHead: boolean): Promise<UpstreamAnswer>;
  close(): void;
};

/** How long a connection is kept on which nothing moves: less than the server keeps it, so that no one uses one that closes. */
const keptMs = 10_000;

/** Talks to the server at a port of this machine over connections that are used again and again, and tries nothing twice. */
export const createUpstream = (port: number): Upstream => {
  const idle: { socket: Socket; sinceMs: number }[] = [];
  const all = new Set<Socket>();

  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port }, () => resolve(socket));
      all.add(socket);
      socket.setNoDelay(true);
      socket.once("error", reject);
      socket.on("error", () => {});
      socket.once("close", () => all.delete(socket));
    });

  const take = (): Socket | Promise<Socket> => {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (!kept.socket.destroyed && performance.now() - kept.sinceMs < keptMs) return kept.socket;
      kept.socket.destroy();
    }
    return open();
  };

  return {
    send: async (request, body, isHead) => {
      const socket = await take();
      const answer = await exchange(socket, { request, body, isHead });
      if (headerOf(answer, "connection") === "close" || socket.destroyed) socket.destroy();
      else idle.push({ socket, sinceMs: performance.now() });
      return answer;
    },
    close: () => {
      for (const socket of all) socket.destroy();
    },
  };
};

type Exchange = { request: string; body: Uint8Array; isHead: boolean };

const exchange = (socket: Socket, { request, body, isHead }: Exchange): Promise<UpstreamAnswer> =>
  new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const end = (): void => {
      socket.off("data", onData);
      socket.off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received, isHead);
      if (answer === null) return;
      end();
      resolve(answer);
    };
    const onClose = (): void => {
      end();
      reject(new Error(`the server closed the connection after ${received.length} bytes of an answer`));
    };
    socket.on("data", onData);
    socket.on("close", onClose);
    socket.write(request);
    if (body.byteLength > 0) socket.write(body);
    if (socket.destroyed) onClose();
  });

/** `null` until the answer is whole. */
const parse = (received: Buffer, isHead: boolean): UpstreamAnswer | null => {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  const answer = { status: Number(first.split(" ")[1]), headers, body: Buffer.alloc(0) };
  if (isHead || answer.status === 204 || answer.status === 304) return answer;
  const rest = received.subarray(end + 4);
  const body = headerOf(answer, "transfer-encoding") === "chunked" ? unchunk(rest) : cut(rest, answer);
  return body === null ? null : { ...answer, body };
};

const cut = (rest: Buffer, answer: UpstreamAnswer): Buffer | null => {
  const length = Number(headerOf(answer, "content-length") ?? 0);
  return rest.length < length ? null : rest.subarray(0, length);
};

const unchunk = (rest: Buffer): Buffer | null => {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (rest.length < lineEnd + size + 4) return null;
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + size + 4;
  }
};

const headerOf = ({ headers }: Pick<UpstreamAnswer, "headers">, name: string): string | undefined =>
  headers.find(([found]) => found === name)?.[1]?.toLowerCase();
