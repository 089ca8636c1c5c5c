import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { rateLimiterTest } from "#api/adapters/rate-limit/rate-limiter-test.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { burst, newKey, passedOf, testRateLimiter } from "#api/testing/rate-limiter-contract.ts";
import { until } from "#api/testing/until.ts";
import { coreSettings } from "#contract/core-settings.ts";
import { openLimiter } from "./limiters.ts";
import { type RedisServer, startRedis } from "./redis.ts";

const pattern = "atrium:requests:*";
const windowMs = 60_000;
const rule = { max: 10, windowMs };

let server: RedisServer;
let redis: Redis;
const endings: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url());
  await redis.ping();
});
afterAll(async () => {
  for (const end of endings) await end();
  redis.disconnect();
  server.stop();
});

/** A limiter as one process has it, connected; its memory knows no time but that of the clock. */
const openConnected = async () => {
  const clock = createTestClock();
  const { limiter, link } = openLimiter({ url: server.url(), clock });
  endings.push(link.close);
  await until(() => link.isUp);
  return { limiter, link, clock };
};

/** Moves all that Redis has counted: by `ms` into its past, or into its future when that is negative. */
const shift = async (ms: number): Promise<void> => {
  for (const key of await redis.keys(pattern)) {
    // The proof that Redis may be written to is none.
    if ((await redis.type(key)) !== "list") continue;
    const moments = await redis.lrange(key, 0, -1);
    const leftMs = (await redis.pttl(key)) - ms;
    await redis.del(key);
    if (leftMs <= 0) continue;
    await redis.rpush(key, ...moments.map((atMs) => Number(atMs) - ms));
    await redis.pexpire(key, leftMs);
  }
};

testRateLimiter("the limiter on Redis", async () => {
  const { limiter, clock } = await openConnected();
  let passedMs = 0;
  return {
    limiter,
    pass: async (ms) => {
      passedMs += ms;
      clock.advance(ms);
      await shift(ms);
    },
    nowMs: () => passedMs + performance.now(),
    close: async () => {},
  };
});

describe("several processes on one Redis", () => {
  test("know of each other's requests", async () => {
    const [one, other] = await Promise.all([openConnected(), openConnected()]);
    const key = newKey();
    expect(passedOf(await burst(one.limiter, { key, rule, count: 7 }))).toBe(7);
    expect(passedOf(await burst(other.limiter, { key, rule, count: 7 }))).toBe(3);
    expect(await one.limiter.take(key, rule)).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(one.limiter.store).toBe("redis");
  });

  test("R3: of 1,000 simultaneous requests at two processes exactly 100 pass, in each of twenty rounds", async () => {
    const processes = Array.from({ length: 2 }, startLimiterProcess);
    for (const { hear } of processes) expect(await hear()).toBe("ready");
    const passed: [number, number][] = [];
    for (let round = 0; round < 20; round += 1) {
      const order = JSON.stringify({ key: newKey(), rule: { max: 100, windowMs }, count: 500 });
      for (const { tell } of processes) tell(order);
      const [one, other] = await Promise.all(processes.map(({ hear }) => hear()));
      passed.push([Number(one), Number(other)]);
    }
    expect(passed.map(([one, other]) => one + other)).toEqual(Array.from({ length: 20 }, () => 100));
    // Otherwise it would not have been at once.
    expect(passed.some(([one, other]) => one > 0 && other > 0)).toBe(true);
  });
});

const startLimiterProcess = () => {
  const heard: unknown[] = [];
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/limiter-process.ts`, server.url()], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (message) => void heard.push(message),
  });
  endings.push(() => child.kill());
  return {
    tell: (message: string) => child.send(message),
    hear: async () => {
      await until(() => heard.length > 0);
      return heard.shift();
    },
  };
};

describe("R7: when Redis's clock is set", () => {
  beforeEach(() => redis.flushdb());

  test.each([3_600_000, 86_400_000])(
    "back by %d ms, no one is allowed more or kept out longer than a window",
    async (turnMs) => {
      const { limiter, clock } = await openConnected();
      const key = newKey();
      expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(10);
      // As seen from the new time, all of it happened in the future.
      await shift(-turnMs);
      const fresh = await openConnected();
      const refused = await fresh.limiter.take(key, rule);
      expect(refused).toMatchObject({ isAllowed: false });
      expect(refused.resetMs).toBeLessThanOrEqual(windowMs);
      expect(refused.resetMs).toBeGreaterThan(windowMs - 5_000);
      clock.advance(windowMs);
      fresh.clock.advance(windowMs);
      await shift(windowMs + 1);
      expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(10);
      for (const name of await redis.keys(pattern))
        expect(await redis.pttl(name)).toBeLessThanOrEqual(3_600_000);
    },
  );

  test.each([3_600_000, 86_400_000])(
    "forward by %d ms, a process lets in no more than the rule says",
    async (turnMs) => {
      const { limiter } = await openConnected();
      const key = newKey();
      expect(passedOf(await burst(limiter, { key, rule, count: 6 }))).toBe(6);
      await shift(turnMs);
      expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(4);
      expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(0);
    },
  );

  test("back in the middle of a window, what was counted since counts on", async () => {
    const { limiter } = await openConnected();
    const key = newKey();
    await burst(limiter, { key, rule, count: 4 });
    await shift(-windowMs / 2);
    expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(6);
    const fresh = await openConnected();
    const refused = await fresh.limiter.take(key, rule);
    expect(refused).toMatchObject({ isAllowed: false });
    expect(refused.resetMs).toBeLessThanOrEqual(windowMs);
  });
});

describe("what is stored in Redis", () => {
  test("identifies no one, and expires with its window", async () => {
    await redis.flushdb();
    const { limiter } = await openConnected();
    await limiter.take("core 203.0.113.77", { max: 10, windowMs: 900_000 });
    const keys = await redis.keys("*");
    expect(keys.filter((key) => !/^atrium:requests:(?:[0-9a-f]{64}|probe)$/.test(key))).toEqual([]);
    expect(JSON.stringify(keys)).not.toContain(Bun.SHA256.hash("core 203.0.113.77", "hex"));
    for (const key of keys) {
      expect(await redis.pttl(key)).toBeGreaterThan(0);
      expect(await redis.pttl(key)).toBeLessThanOrEqual(900_001);
    }
  });

  test("is not asked about a key that this process knows to be full", async () => {
    const { limiter } = await openConnected();
    const key = newKey();
    await burst(limiter, { key, rule, count: 10 });
    expect(limiter.take(key, rule)).not.toBeInstanceOf(Promise);
  });

  test("may be lost: scripts and counts are there again, and a process keeps to its own count", async () => {
    const { limiter, link } = await openConnected();
    const key = newKey();
    await burst(limiter, { key, rule, count: 6 });
    await redis.script("FLUSH");
    await redis.flushdb();
    expect(passedOf(await burst(limiter, { key, rule, count: 20 }))).toBe(4);
    await until(() => link.isUp);
    expect((await limiter.take(newKey(), rule)).isAllowed).toBe(true);
    expect(limiter.store).toBe("redis");
  });
});

describe("the test of the limiter", () => {
  const settings = coreSettings.defaults.rateLimiting;

  test("sends a burst through Redis, and leaves nothing behind", async () => {
    const { limiter, link } = await openConnected();
    const counted = async () =>
      (await redis.keys(pattern)).filter((name) => !name.endsWith("probe")).toSorted();
    const before = await counted();
    const report = await rateLimiterTest(limiter, { settings, redis: link.state() });
    expect(report).toMatchObject({
      isWorking: true,
      summary: "100 of 105 requests passed and 5 were refused, as the rule says.",
    });
    expect(report.steps.map(({ status }) => status)).toEqual(report.steps.map(() => "passed"));
    expect(report.steps[1]?.message).toBe(
      `Counted in Redis at 127.0.0.1:${server.port}, for all server processes together.`,
    );
    expect(await counted()).toEqual(before);
  });
});
