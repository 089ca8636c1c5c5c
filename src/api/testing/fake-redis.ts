import { createServer, type Socket } from "node:net";

/** What it says to a command, by name; `null` when it has taken the socket over, or says nothing. */
export type RedisAnswerer = (name: string, socket: Socket) => string | null;

/** A server that speaks enough of Redis's protocol to be let in, and then says what it is told to. */
export type FakeRedis = { url: string; readonly connections: number; close(): void };

/** Starts one on a free port of the loopback. The greeting is its own. */
export const startFakeRedis = async (answer: RedisAnswerer): Promise<FakeRedis> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on("error", () => {});
    socket.on("data", (data) => {
      for (const [, word = ""] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n/g)) {
        const name = word.toUpperCase();
        const words = name === "HELLO" ? greeting : answer(name, socket);
        if (words !== null) socket.write(words);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `redis://127.0.0.1:${Reflect.get(Object(server.address()), "port")}`,
    get connections() {
      return connections;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

const greeting = "%2\r\n+server\r\n+redis\r\n+proto\r\n:3\r\n";
