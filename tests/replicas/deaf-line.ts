import { createConnection, createServer, type Socket } from "node:net";

/** A line to PostgreSQL on which everything works but what the database tells of its own accord. */
export type DeafLine = {
  port: number;
  /** From now on notifications get lost on the way, and nothing else does: no one at either end can tell. */
  deafen(): void;
  hear(): void;
  close(): void;
};

/** Starts a line to the PostgreSQL server at this port of the machine. */
export const startDeafLine = (target: number): Promise<DeafLine> => {
  const sockets = new Set<Socket>();
  let isDeaf = false;
  const server = createServer((near) => {
    const far = createConnection({ host: "127.0.0.1", port: target });
    const filter = createFilter(() => isDeaf);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on("data", (chunk) => void far.write(chunk));
    far.on("data", (chunk) => {
      const kept = filter(Buffer.from(chunk));
      if (kept.length > 0) near.write(kept);
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : 0,
        deafen: () => {
          isDeaf = true;
        },
        hear: () => {
          isDeaf = false;
        },
        close: () => {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
};

/** A message's type, and the length behind it that counts itself. Source: PostgreSQL's documentation, "Message Formats". */
const headBytes = 5;
const notification = "A".charCodeAt(0);

/** Passes whole messages on, without notifications while `isDeaf` says so. */
const createFilter = (isDeaf: () => boolean): ((chunk: Buffer) => Buffer) => {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const kept: Buffer[] = [];
    while (rest.length >= headBytes) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      if (rest[0] !== notification || !isDeaf()) kept.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(kept);
  };
};
