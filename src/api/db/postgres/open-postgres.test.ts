import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { sql } from "drizzle-orm";
import { startTestDatabaseServer, type TestDatabaseServer } from "#api/testing/database-server.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import { until } from "#api/testing/until.ts";
import type { DatabaseHandle } from "../database-handle.ts";
import { databaseError } from "../errors.ts";
import { openPostgres } from "./open-postgres.ts";

const endings: (() => Promise<unknown>)[] = [];

let server: TestDatabaseServer;

beforeAll(async () => {
  server = await startTestDatabaseServer();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await server.mend();
});

afterAll(() => server.close());

const open = (url: string): DatabaseHandle => {
  const handle = openPostgres(url);
  endings.push(handle.close);
  return handle;
};

/** A program on a TCP port that is no database. */
const startStranger = async (onConnection: (socket: Socket) => void): Promise<string> => {
  const { port, close } = await openRawServer(onConnection);
  endings.push(close);
  return `postgres://app@127.0.0.1:${port}/app`;
};

/** How many of `count` queries at once fail as they should, and how long the slowest takes. */
const failTogether = async (handle: DatabaseHandle, count: number) => {
  const startedAt = performance.now();
  const failures = await Promise.all(
    Array.from({ length: count }, () =>
      handle.db.execute(sql`select 1`).then(
        () => "answered",
        (error: unknown) => databaseError(error)?.kind,
      ),
    ),
  );
  return { kinds: new Set(failures), tookMs: performance.now() - startedAt };
};

const hung: Socket[] = [];
const away: Record<string, () => Promise<string>> = {
  "refuses connections": async () => "postgres://app@127.0.0.1:1/app",
  "has an unknown name": async () => "postgres://app@nowhere.invalid/app",
  "accepts connections and says nothing": () => startStranger((socket) => void hung.push(socket)),
  "closes every connection": () => startStranger((socket) => void socket.end()),
};

describe("a server that", () => {
  test.each(Object.keys(away))("%s makes fifty waiting queries fail within three seconds", async (name) => {
    const handle = open((await away[name]?.()) ?? "");
    const { kinds, tookMs } = await failTogether(handle, 50);
    expect([...kinds]).toEqual(["DB_UNAVAILABLE"]);
    expect(tookMs).toBeLessThan(3000);
    expect(await failureOf(handle.check())).toMatchObject({ kind: "DB_UNAVAILABLE", retryAfterS: 1 });
    for (const socket of hung.splice(0)) socket.destroy();
  });

  test("freezes makes queries on open connections fail within three seconds, and heals when it is back", async () => {
    const handle = open(server.url);
    await until(() => handle.check().then(() => true));
    server.freeze();
    const { kinds, tookMs } = await failTogether(handle, 50);
    expect([...kinds]).toEqual(["DB_UNAVAILABLE"]);
    expect(tookMs).toBeLessThan(3000);
    await server.mend();
    const healedMs = await until(() => handle.check().then(() => true));
    expect(healedMs).toBeLessThan(5000);
  });

  test("was cut off is used again as soon as it is there", async () => {
    const handle = open(server.url);
    await until(() => handle.check().then(() => true));
    server.cut();
    await until(() =>
      handle.check().then(
        () => false,
        () => true,
      ),
    );
    await server.mend();
    await until(() => handle.check().then(() => true), 5000);
  });
});

describe("listening", () => {
  test("messages arrive, also after the line was cut, and the listener knows when they do not", async () => {
    const [hearer, sender] = [open(server.url), open(server.url)];
    const heard: string[] = [];
    const states: boolean[] = [];
    const stop = await hearer.listen(
      "news",
      (payload) => heard.push(payload),
      (state) => states.push(state),
    );
    expect(states).toEqual([true]);
    await sender.notify("news", "first");
    await until(() => heard.includes("first"));
    server.cut();
    await until(() => states.at(-1) === false, 3000);
    await server.mend();
    await until(() => states.at(-1) === true, 5000);
    await until(() => sender.notify("news", "second").then(() => true));
    await until(() => heard.includes("second"));
    await stop();
    await sender.notify("news", "third");
    await hearer.check();
    expect(heard).not.toContain("third");
  });

  test("a frozen line counts as no line", async () => {
    const handle = open(server.url);
    const states: boolean[] = [];
    await handle.listen(
      "news",
      () => {},
      (state) => states.push(state),
    );
    server.freeze();
    await until(() => states.at(-1) === false, 4000);
  });

  test("a line stays one while so many messages arrive that the answer waits behind them", async () => {
    const handle = open(await startStranger(sayNothingButNews));
    const [heard, states]: [string[], boolean[]] = [[], []];
    await handle.listen(
      "news",
      (payload) => heard.push(payload),
      (state) => states.push(state),
    );
    await until(() => heard.length > 60);
    expect(states).toEqual([true]);
  });
});

/** Lets everyone in, refuses each statement until one listens, and then sends a message every 50 ms and no answer. */
const sayNothingButNews = (socket: Socket): void => {
  const piece = (type: string, body: string): string => {
    const bytes = Buffer.alloc(5, type);
    bytes.writeInt32BE(body.length + 4, 1);
    return bytes.toString("latin1") + body;
  };
  const ready = piece("Z", "I");
  const answers = [piece("R", "\0\0\0\0") + ready];
  const refusal = piece("E", "SERROR\0C42000\0Mno\0\0") + ready;
  socket.on("data", (data) => {
    if (!data.includes("listen")) return void socket.write(answers.shift() ?? refusal, "latin1");
    socket.removeAllListeners("data").resume();
    socket.write(piece("C", "LISTEN\0") + ready, "latin1");
    const timer = setInterval(() => socket.write(piece("A", "\0\0\0\x01news\0x\0"), "latin1"), 50);
    socket.on("close", () => clearInterval(timer));
  });
};
