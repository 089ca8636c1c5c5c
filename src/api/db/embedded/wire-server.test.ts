import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { fsyncSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { findSeed } from "#api/db/bundled-files.ts";
import { databaseError } from "#api/db/errors.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { until } from "#api/testing/until.ts";
import { ensureCluster } from "./cluster-folder.ts";
import { type Engine, openEngine } from "./engine.ts";
import { serveWire, type WireServer } from "./wire-server.ts";

const folder = makeDataFolder();
const socketPath = join(folder.path, "s");
const idleLimitMs = 400;
const events: string[] = [];
let syncs = 0;
let engine: Engine;
let server: WireServer;
let pools: postgres.Sql[];

const serve = (over: Pick<Engine, "execProtocolRawStream">, path: string): Promise<WireServer> =>
  serveWire({
    engine: over,
    serverVersion: "18.0",
    socketPath: path,
    idleLimitMs,
    onIdleTransaction: () => events.push("idle"),
    onBroken: (reason) => events.push(`broken: ${reason}`),
  });

const connect = (options: { max?: number; path?: string } = {}): postgres.Sql => {
  const pool = postgres({
    path: socketPath,
    user: "postgres",
    database: "postgres",
    fetch_types: false,
    onnotice: () => {},
    ...options,
  });
  pools.push(pool);
  return pool;
};

beforeAll(async () => {
  const cluster = join(folder.path, "database");
  await ensureCluster(cluster, findSeed());
  const fsync = (fd: number): void => {
    syncs += 1;
    fsyncSync(fd);
  };
  engine = await openEngine({ folder: cluster, fsync });
  server = await serve(engine, socketPath);
  await engine.exec("create table t (n int primary key)");
});

beforeEach(() => {
  pools = [];
  events.length = 0;
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  await engine.exec("truncate t");
});

afterAll(async () => {
  await server.close();
  await engine.close();
  folder.remove();
});

test("each commit reaches the disk before it is acknowledged", async () => {
  const sql = connect({ max: 1 });
  await sql`select 1`;
  const before = syncs;
  for (let n = 0; n < 20; n += 1) await sql`insert into t values (${n})`;
  expect(syncs - before).toBeGreaterThanOrEqual(20);
  // The engine is started with -F unless that is left out, which turns `fsync` off.
  expect([...(await sql`show fsync`)]).toEqual([{ fsync: "on" }]);
  expect([...(await sql`show wal_sync_method`)]).toEqual([{ wal_sync_method: "fsync" }]);
});

test("a notification reaches the other connections, and its own", async () => {
  const heard: string[] = [];
  const [one, two] = [connect({ max: 2 }), connect({ max: 2 })];
  await one.listen("news", (payload) => heard.push(`one ${payload}`));
  await two.listen("news", (payload) => heard.push(`two ${payload}`));
  await two.notify("news", "hello");
  await until(() => heard.length >= 2);
  expect(heard.sort()).toEqual(["one hello", "two hello"]);
});

describe("COPY FROM STDIN is refused, and the connection survives", () => {
  const statement = "/* c */ CoPy t from /* d */ STDIN";

  test("as a simple query", async () => {
    const sql = connect({ max: 1 });
    expect(await failureOf(sql.unsafe(statement).simple())).toMatchObject({ code: "0A000" });
    expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }]);
  });

  test("as a prepared one", async () => {
    const sql = connect({ max: 1 });
    expect(await failureOf(sql`copy t from stdin`.execute())).toMatchObject({ code: "0A000" });
    expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }]);
  });

  test("inside a transaction, which fails as on a server", async () => {
    const sql = connect({ max: 2 });
    const transaction = sql.begin(async (tx) => {
      await tx`insert into t values (1)`;
      await tx.unsafe(statement).catch(() => {});
      await tx`insert into t values (2)`;
    });
    expect(await failureOf(transaction)).toMatchObject({ code: "0A000" });
    expect([...(await sql`select n from t`)]).toEqual([]);
  });
});

describe("a transaction that keeps all others waiting", () => {
  test("is ended with the reason when it waits for a query beside itself", async () => {
    const sql = connect({ max: 2 });
    const transaction = sql.begin(async (tx) => {
      await tx`insert into t values (1)`;
      await sql`select 1`;
      await tx`insert into t values (2)`;
    });
    expect(await failureOf(transaction)).toMatchObject({ code: "25P03" });
    expect([...(await sql`select n from t`)]).toEqual([]);
    expect(events).toEqual(["idle"]);
  });

  test("is not committed either when it has nothing more to say", async () => {
    const sql = connect({ max: 2 });
    const transaction = sql.begin(async (tx) => {
      await tx`insert into t values (1)`;
      await sql`select 1`;
    });
    expect(await failureOf(transaction)).toMatchObject({ code: "25P03" });
    expect([...(await sql`select n from t`)]).toEqual([]);
  });

  test("gives way to the others, and its connection is as good as new afterwards", async () => {
    const sql = connect({ max: 1 });
    const other = connect({ max: 1 });
    const [begun, gaveWay] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const transaction = sql.begin(async (tx) => {
      await tx`insert into t values (${1})`;
      begun.resolve();
      await gaveWay.promise;
      await tx`insert into t values (${2})`;
    });
    await begun.promise;
    await other`select 1`;
    gaveWay.resolve();
    expect(await failureOf(transaction)).toMatchObject({ code: "25P03" });
    await sql.begin((tx) => tx`insert into t values (${3})`);
    expect([...(await other`select n from t`)]).toEqual([{ n: 3 }]);
  });
});

describe("a client that goes away", () => {
  test("in a transaction has changed nothing and blocks no one", async () => {
    const leaver = connect({ max: 1 });
    const inside = Promise.withResolvers<void>();
    const transaction = leaver.begin(async (tx) => {
      await tx`insert into t values (1)`;
      inside.resolve();
      await new Promise(() => {});
    });
    const outcome = transaction.catch(() => {});
    await inside.promise;
    await leaver.end({ timeout: 0 });
    await outcome;
    expect([...(await connect()`select n from t`)]).toEqual([]);
  });

  test("leaves no prepared statements in the session", async () => {
    const leaver = connect({ max: 1 });
    for (let n = 0; n < 5; n += 1) await leaver.unsafe(`select ${n}, $1::int`, [n], { prepare: true });
    await leaver.end();
    const sql = connect({ max: 1 });
    const count =
      "select count(*)::int as n from pg_prepared_statements where statement like 'select _, $1%'";
    await until(async () => (await sql.unsafe<{ n: number }[]>(count))[0]?.n === 0);
  });

  test("that speaks another protocol is hung up on", async () => {
    const socket = createConnection(socketPath);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
    expect([...(await connect()`select 1 as n`)]).toEqual([{ n: 1 }]);
  });
});

test("five megabytes go in and come out whole", async () => {
  const sql = connect();
  const text = "0123456789abcdef".repeat(330_000);
  const [row] = await sql`select ${text}::text as text`;
  expect(row?.text === text).toBe(true);
});

test("connections take turns by transaction, not by message", async () => {
  const sql = connect({ max: 4 });
  await sql`insert into t values (0)`;
  await Promise.all(
    Array.from({ length: 60 }, () =>
      sql.begin(async (tx) => {
        const [row] = await tx`select n from t`;
        await tx`update t set n = ${(row?.n ?? 0) + 1}`;
      }),
    ),
  );
  expect([...(await sql`select n from t`)]).toEqual([{ n: 60 }]);
});

describe("an engine that cannot be trusted any more", () => {
  const broken: Record<string, Pick<Engine, "execProtocolRawStream">["execProtocolRawStream"]> = {
    throws: () => Promise.reject(new Error("unreachable")),
    "does not say that it is ready": async () => {},
  };
  test.each(Object.keys(broken))("one that %s is reported once, and its clients are told", async (name) => {
    const path = join(folder.path, "broken");
    const execProtocolRawStream = broken[name];
    if (!execProtocolRawStream) throw new Error("unknown case");
    const brokenServer = await serve({ execProtocolRawStream }, path);
    const sql = connect({ max: 2, path });
    const outcomes = await Promise.allSettled([sql`select 1`, sql`select 2`]);
    const kinds = outcomes.map((outcome) => "reason" in outcome && databaseError(outcome.reason)?.kind);
    expect(kinds).toEqual(["DB_UNAVAILABLE", "DB_UNAVAILABLE"]);
    expect(events).toHaveLength(1);
    await sql.end({ timeout: 0 });
    await brokenServer.close();
  });
});
