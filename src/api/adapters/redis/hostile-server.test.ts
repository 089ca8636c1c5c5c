import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { systemClock } from "#api/core/clock.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import { until } from "#api/testing/until.ts";
import { createRedisLink } from "./redis-link.ts";
import { testRedisConnection } from "./run-redis-checks.ts";

const endings = endAfterEachTest();
const servings: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(servings.map((stop) => stop())));

/** Listens on a free port; `greet` is what the server does with a connection. */
const listen = async (greet: (socket: Socket) => void): Promise<number> => {
  const { port, close } = await openRawServer(greet);
  servings.push(close);
  return port;
};

const canary = "canary-of-a-banner";
const megabytes = 1_000_000;
const banner = canary.repeat((10 * megabytes) / canary.length);

/** Sends without end, as fast as the other side takes it, or one byte at a time. */
const pour = (socket: Socket, chunk: string, everyMs = 0): void => {
  const next = (): void => {
    if (socket.destroyed) return;
    const hasRoom = socket.write(chunk);
    if (everyMs > 0) setTimeout(next, everyMs);
    else if (hasRoom) setImmediate(next);
    else socket.once("drain", next);
  };
  next();
};

const servers: [string, (socket: Socket) => void][] = [
  ["says nothing", () => {}],
  ["hangs up", (socket) => socket.destroy()],
  ["says one letter every 100 ms", (socket) => pour(socket, "+", 100)],
  ["sends a banner of 10 MB", (socket) => void socket.write(banner)],
  ["sends a banner of 10 MB in the words of Redis", (socket) => void socket.write(`+${banner}\r\n`)],
  ["sends refusals of 10 MB", (socket) => void socket.write(`-ERR ${banner}\r\n`)],
  [
    "promises a gigabyte and never ends",
    (socket) => {
      socket.write("$1000000000\r\n");
      pour(socket, canary.repeat(1_000));
    },
  ],
  ["answers more than it was asked", (socket) => pour(socket, `+${canary}\r\n`.repeat(100))],
  [
    "says nothing of what it was asked, in nulls",
    (socket) => void socket.write("$-1\r\n_\r\n*-1\r\n".repeat(100)),
  ],
  [
    "pushes nulls",
    (socket) => void socket.write(">1\r\n_\r\n>2\r\n+subscribe\r\n_\r\n>3\r\n+message\r\n_\r\n_\r\n"),
  ],
  [
    "pushes what was never subscribed",
    (socket) => void socket.write(`>3\r\n+message\r\n+x\r\n+${canary}\r\n`),
  ],
  ["speaks HTTP", (socket) => void socket.write(`HTTP/1.1 400 ${canary}\r\n\r\n`)],
  ["nests arrays", (socket) => void socket.write("*1\r\n".repeat(100_000))],
  ["promises an array without end", (socket) => void socket.write("*2147483647\r\n")],
  ["answers OK to everything", (socket) => void socket.on("data", () => socket.write("+OK\r\n".repeat(20)))],
];

const endsInTime = async (url: string): Promise<void> => {
  const startedAt = performance.now();
  const report = await testRedisConnection({ url, password: "canary" });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(report.isWorking).toBe(false);
  expect(JSON.stringify(report).length).toBeLessThan(3_000);
  expect(JSON.stringify(report)).not.toContain("canary");
};

/** Those that are given up only when the time is over: it is the same for all, so all are waited for at once. */
const quiet = new Set([
  "says nothing",
  "says one letter every 100 ms",
  "pushes what was never subscribed",
  "promises an array without end",
]);
const speaksNoTls = "speaks no TLS where that is asked for";

describe("S4: a server that is none", () => {
  const begun = new Map<string, PromiseLike<unknown>>();
  beforeAll(async () => {
    for (const [name, greet] of servers.filter(([each]) => quiet.has(each)))
      begun.set(name, failureOf(endsInTime(`redis://127.0.0.1:${await listen(greet)}`)));
    begun.set(speaksNoTls, failureOf(endsInTime(`rediss://127.0.0.1:${await listen(() => {})}`)));
    expect(begun.size).toBe(quiet.size + 1);
  });

  test.each(servers)("and %s ends the test within five seconds, and is not repeated", async (name, greet) => {
    const failure = begun.get(name) ?? failureOf(endsInTime(`redis://127.0.0.1:${await listen(greet)}`));
    expect(await failure).toBeUndefined();
  });

  test(`and ${speaksNoTls} ends the test within five seconds, too`, async () => {
    expect(await begun.get(speaksNoTls)).toBeUndefined();
    await endsInTime(`rediss://127.0.0.1:${await listen((socket) => void socket.write(banner))}`);
  });

  test.each(servers)("and %s costs its caller a moment, and leaves the process alone", async (_, greet) => {
    const port = await listen(greet);
    const log = createRecordingLog();
    const link = createRedisLink({ clock: systemClock, log });
    endings.push(link.close);
    link.onConnect(async (client) => {
      if ((await client.ping()) !== "PONG") throw new Error("no Redis");
    });
    link.use({ url: `redis://127.0.0.1:${port}`, password: "canary", source: "settings" });
    await until(() => link.state().state === "away");
    expect(link.isUp).toBe(false);
    expect(await link.ask((client) => client.ping())).toBeNull();
    expect(JSON.stringify([link.state(), log.entries])).not.toContain("canary");
  });
});
