import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { createRateLimiter } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { burst, newKey, noRedis, passedOf, testRateLimiter } from "#api/testing/rate-limiter-contract.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { createPostgresRateCounter, sweepRateCounts } from "./postgres-rate-counter.ts";

const { db } = await databaseForFile();
const secret = new TextEncoder().encode("the secret that all servers share");
const rule = { max: 10, windowMs: 60_000 };

/** Servers of which plugins say that they run. */
const haveServers = async (names: readonly string[]): Promise<void> => {
  await db.execute(sql`delete from plugin_replicas`);
  for (const name of names)
    await db.execute(sql`
      insert into plugin_replicas (plugin, replica, state, version, generation, seen_at)
      values ('licensing', ${name}, 'running', '1.0.0', 1, now())`);
};

/** A limiter as one server has it, once it knows of the other. */
const openServer = async (database = db, more: { mostRows?: number } = {}) => {
  const clock = createTestClock();
  const log = createRecordingLog();
  const counter = createPostgresRateCounter({ db: database, clock, log, secret, ...more });
  const limiter = createRateLimiter({ clock, link: noRedis, secret, database: counter });
  return { clock, counter, limiter, log };
};
const openShared = async (database = db, more: { mostRows?: number } = {}) => {
  await haveServers(["one", "two"]);
  const server = await openServer(database, more);
  await until(() => server.limiter.store === "postgres");
  return server;
};

/** Moves all that was counted by `ms` into the past. */
const shift = async (ms: number): Promise<void> => {
  await db.execute(sql`
    update rate_counts set expires_at = expires_at - ${ms} * interval '1 millisecond',
      moments = (select array_agg(moment - ${ms}::float8 order by at) from unnest(moments) with ordinality as run(moment, at))`);
};

testRateLimiter("the limiter on PostgreSQL", async () => {
  const { limiter, clock } = await openShared();
  let passedMs = 0;
  return {
    limiter,
    pass: async (ms) => {
      passedMs += ms;
      clock.advance(ms);
      await shift(ms);
      await until(() => limiter.store === "postgres");
    },
    nowMs: () => passedMs + performance.now(),
    close: async () => {},
  };
});

describe("several servers on one database without Redis", () => {
  test("know of each other's requests", async () => {
    const [one, other] = [await openShared(), await openShared()];
    const key = newKey();
    expect(passedOf(await burst(one.limiter, { key, rule, count: 7 }))).toBe(7);
    expect(passedOf(await burst(other.limiter, { key, rule, count: 7 }))).toBe(3);
    expect(await one.limiter.take(key, rule)).toMatchObject({ isAllowed: false, remaining: 0 });
  });

  test("let exactly as many pass of simultaneous requests as the rule says", async () => {
    const [one, other] = [await openShared(), await openShared()];
    const key = newKey();
    const passed = await Promise.all(
      [one, other].map(async ({ limiter }) => passedOf(await burst(limiter, { key, rule, count: 50 }))),
    );
    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(10);
  });

  test("contain no address of a client", async () => {
    const { limiter } = await openShared();
    await limiter.take("core\n203.0.113.9", rule);
    const rows = await db.execute<{ key: string }>(sql`select key from rate_counts`);
    expect(JSON.stringify(rows)).not.toContain("203.0.113");
  });
});

test("a server that was busy itself for longer than it waits for the database still counts with the others", async () => {
  const [one, other] = [await openShared(), await openShared()];
  const key = newKey();
  await burst(one.limiter, { key, rule, count: 10 });
  const decision = other.limiter.take(key, rule);
  const startedAt = performance.now();
  while (performance.now() - startedAt < 400);
  other.clock.advance(400);
  expect(other.limiter.store).toBe("postgres");
  expect(await decision).toMatchObject({ isAllowed: false });
});

test("while the database does not respond, a server counts alone and says so, until it has responded", async () => {
  const response = Promise.withResolvers<void>();
  let isSlow = false;
  const slow: typeof db = Object.assign(Object.create(db), {
    execute: async (query: SQL) => {
      if (isSlow) await response.promise;
      return db.execute(query);
    },
  });
  const { limiter, clock, log } = await openShared(slow);
  isSlow = true;
  const key = newKey();
  expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(10);
  expect(log.entries.filter(({ message }) => message.includes("could not be counted"))).toHaveLength(1);
  clock.advance(1_000);
  expect(limiter.store).toBe("memory");
  response.resolve();
  await until(() => limiter.store === "postgres");
});

test("of more callers than there are rows for, those known are counted together and the others alone", async () => {
  await db.execute(sql`delete from rate_counts`);
  const known = newKey();
  const one = await openShared();
  const other = await openShared(db, { mostRows: 3 });
  await burst(one.limiter, { key: known, rule, count: 4 });
  for (let count = 0; count < 20; count += 1)
    expect(await other.limiter.take(newKey(), rule)).toMatchObject({ isAllowed: true, remaining: 9 });
  const rows = await db.execute(sql`select from rate_counts`);
  expect(rows.length).toBeLessThanOrEqual(4);
  expect(passedOf(await burst(other.limiter, { key: known, rule, count: 10 }))).toBe(6);
});

test("sweeping removes the counts of windows that are over, and no other", async () => {
  await db.execute(sql`delete from rate_counts`);
  const { limiter } = await openShared();
  await limiter.take(newKey(), rule);
  await limiter.take(newKey(), { max: 1, windowMs: 3_600_000 });
  await shift(120_000);
  await sweepRateCounts(db);
  expect(await db.execute(sql`select from rate_counts`)).toHaveLength(1);
});

test("a server that is alone asks no database", async () => {
  await haveServers(["one"]);
  const { limiter, counter } = await openServer();
  expect(counter.isUp).toBe(false);
  const key = newKey();
  expect(limiter.take(key, rule)).not.toBeInstanceOf(Promise);
  expect(limiter.store).toBe("memory");
});

test("while the database fails, each server counts alone, says so, and asks again a second later", async () => {
  const { limiter, clock, log } = await openShared();
  const key = newKey();
  await burst(limiter, { key, rule, count: 4 });
  await db.execute(sql`alter table rate_counts rename to rate_counts_away`);
  try {
    expect(await limiter.take(key, rule)).toMatchObject({ isAllowed: true, remaining: 5 });
    expect(limiter.store).toBe("memory");
    expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(5);
    expect(log.entries.some(({ message }) => message.includes("could not be counted"))).toBe(true);
  } finally {
    await db.execute(sql`alter table rate_counts_away rename to rate_counts`);
  }
  clock.advance(1_000);
  expect(limiter.store).toBe("postgres");
});
