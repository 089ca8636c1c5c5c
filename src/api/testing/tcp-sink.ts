import { createServer, type Socket } from "node:net";

/** A server on a free port of loopback; `close` ends its connections too. */
export type RawServer = { port: number; close(): Promise<void> };

/** Listens on a free port of loopback; `greet` is what it does with a connection. */
export const openRawServer = async (greet: (socket: Socket) => void): Promise<RawServer> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A server that takes everything in and remembers it. */
export type TcpSink = RawServer & {
  /** How many connections came. */
  readonly connections: number;
  /** Everything that was sent, as one text. */
  readonly received: string;
};

/** Listens on a free port of loopback; `answer` is what it says to each piece that comes. */
export const openTcpSink = async (answer: (text: string) => string = () => ""): Promise<TcpSink> => {
  let connections = 0;
  let received = "";
  const server = await openRawServer((socket) => {
    connections += 1;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      socket.write(answer(chunk.toString("latin1")));
    });
  });
  return {
    ...server,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
  };
};
