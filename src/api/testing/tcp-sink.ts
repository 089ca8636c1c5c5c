import { createServer, type Socket } from "node:net";

/** A server that takes everything in and remembers it. */
export type TcpSink = {
  port: number;
  /** How many connections came. */
  readonly connections: number;
  /** Everything that was sent, as one text. */
  readonly received: string;
  close(): Promise<void>;
};

/** Listens on a free port of loopback; `answer` is what it says to each piece that comes. */
export const openTcpSink = async (answer: (text: string) => string = () => ""): Promise<TcpSink> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  let received = "";
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      socket.write(answer(chunk.toString("latin1")));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
