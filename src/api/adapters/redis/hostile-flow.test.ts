import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { systemClock } from "#api/core/clock.ts";
import { startFakeRedis } from "#api/testing/fake-redis.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { createRedisLink } from "./redis-link.ts";

const endings = endAfterEachTest();

const value = "v".repeat(100_000);

/** What a server says that behaves. */
const answers: Record<string, string> = {
  PING: "+PONG\r\n",
  GET: `$${value.length}\r\n${value}\r\n`,
};

/** A server that behaves until it is told GETDEL, and then does as it is told here; counts what it gets rid of. */
const startTurncoat = async (turn: (write: (text: string) => boolean, socket: Socket) => void) => {
  const told = { bytes: 0, pings: 0 };
  const server = await startFakeRedis((name, socket) => {
    if (name === "PING") told.pings += 1;
    if (name !== "GETDEL") return answers[name] ?? "+OK\r\n";
    turn((text) => {
      told.bytes += text.length;
      return socket.write(text);
    }, socket);
    return null;
  });
  endings.push(server.close);
  const link = createRedisLink({ clock: systemClock, log: createRecordingLog() });
  endings.push(link.close);
  link.use({ url: server.url, password: null, source: "settings" });
  await until(() => link.isUp);
  return { link, told, server };
};

/** Writes without end, as fast as the other side takes it, or once every `everyMs`. */
const pour = (write: (text: string) => boolean, socket: Socket, chunk: string, everyMs = 0): void => {
  const next = (): void => {
    if (socket.destroyed) return;
    const hasRoom = write(chunk);
    if (everyMs > 0) setTimeout(next, everyMs);
    else if (hasRoom) setImmediate(next);
    else socket.once("drain", next);
  };
  next();
};

const chunk = "x".repeat(50_000);
const hostile: [string, (write: (text: string) => boolean, socket: Socket) => void][] = [
  [
    "pours three gigabytes into one answer",
    (write, socket) => {
      write("$3000000000\r\n");
      pour(write, socket, chunk);
    },
  ],
  [
    "lets an answer without end trickle in",
    (write, socket) => {
      write("$3000000000\r\n");
      pour(write, socket, chunk, 40);
    },
  ],
  [
    "pours small values into an array without end",
    (write, socket) => {
      write("*2147483647\r\n");
      pour(write, socket, "%0\r\n".repeat(10_000));
    },
  ],
  [
    "pushes message after message, and answers what it is asked",
    (write, socket) => pour(write, socket, `>3\r\n+message\r\n+x\r\n$50000\r\n${chunk}\r\n`),
  ],
  [
    "publishes one huge message",
    (write, socket) => {
      write(">3\r\n+message\r\n+x\r\n$500000000\r\n");
      pour(write, socket, chunk);
    },
  ],
];

describe("R6: a Redis server that was let in and then", () => {
  test.each(hostile)("%s is left before it fills the memory", async (_, turn) => {
    const { link, told, server } = await startTurncoat(turn);
    const begunAt = performance.now();
    // Whoever asks has given up long before; a connection may carry events only.
    void link.ask(async (client) => void client.getdel("x").catch(() => {}));
    await until(() => server.connections > 1);
    expect(performance.now() - begunAt).toBeLessThan(4_000);
    // Beside what was read, what fits into the system's own buffers.
    expect(told.bytes).toBeLessThan(16_000_000);
    await until(() => link.isUp);
  });

  test("sends much, but nothing out of measure, is kept, and asked now and then whether it is there", async () => {
    const { link, told, server } = await startTurncoat(
      (write) => void write(`$3000000\r\n${"x".repeat(3_000_000)}\r\n`),
    );
    expect(await link.ask(async (client) => (await client.getdel("x"))?.length)).toBe(3_000_000);
    await until(() => told.pings === 1);
    // The second in which that much came is over.
    await Bun.sleep(1_050);
    for (let index = 0; index < 30; index += 1)
      expect(await link.ask(async (client) => (await client.get("x"))?.length)).toBe(value.length);
    expect(server.connections).toBe(1);
    expect(told.pings).toBe(2);
  });
});
