import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Redis } from "ioredis";
import { createAttemptGuard } from "#api/adapters/attempt-guard/attempt-guard.ts";
import { createRedisLink } from "#api/adapters/redis/redis-link.ts";
import { type Clock, systemClock } from "#api/core/clock.ts";
import {
  budgetOf,
  failIn,
  inParallel,
  kindOf,
  succeedIn,
  testAttemptGuard,
} from "#api/testing/attempt-guard-contract.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { type RedisServer, startRedis } from "./redis.ts";

let server: RedisServer;
let redis: Redis;
const secret = new TextEncoder().encode("the secret that all of these share");
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

/** A guard as one process has it, connected. */
const openGuard = async (own = secret, clock: Clock = systemClock) => {
  const log = createRecordingLog();
  const link = createRedisLink({ clock: systemClock, log });
  const guard = createAttemptGuard({ clock, link, secret: own });
  link.use({ url: server.url(), password: null, source: "environment" });
  endings.push(guard.close, link.close);
  await until(() => log.entries.some(({ message }) => message === "Redis is in use"));
  return { ...guard, die: link.close };
};

/** Lets time pass for all counts: they become older, because the server's clock cannot be moved. */
const pass = async (ms: number): Promise<void> => {
  for (const key of await redis.keys("atrium:attempts:*")) {
    for (const member of await redis.zrange(key, "0", "-1")) await redis.zincrby(key, -ms, member);
    const leftMs = (await redis.pttl(key)) - ms;
    await (leftMs > 0 ? redis.pexpire(key, leftMs) : redis.del(key));
  }
};

testAttemptGuard("the guard on Redis", async () => {
  // What a process counts itself must grow older as well.
  const clock = createTestClock();
  const guard = await openGuard(secret, clock);
  const passBoth = async (ms: number) => {
    clock.advance(ms);
    await pass(ms);
  };
  return { guard, pass: passBoth, close: async () => {} };
});

describe("two processes on one Redis", () => {
  test("W2: together have no more failures than the budget, in each of twenty bursts", async () => {
    const guards = await Promise.all([openGuard(), openGuard()]);
    for (let round = 0; round < 20; round += 1) {
      const budgets = [budgetOf(`round ${round}`, 10), budgetOf(`round ${round} from anywhere`, 20)];
      const bursts = await Promise.all(
        guards.map((guard) => inParallel(50, () => failIn(guard, ...budgets))),
      );
      const outcomes = bursts.flat();
      expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === "RATE_LIMITED")).toHaveLength(90);
    }
  });

  test("spend one budget together, exactly", async () => {
    const guards = await Promise.all([openGuard(), openGuard()]);
    const bursts = await Promise.all(
      guards.map((guard) => inParallel(50, () => kindOf(guard.spend([budgetOf("spent", 30)])))),
    );
    expect(bursts.flat().filter((outcome) => outcome === "done")).toHaveLength(30);
  });

  test("one allows immediately what the other has reset", async () => {
    const [one, other] = await Promise.all([openGuard(), openGuard()]);
    const budget = budgetOf("forgiven", 1);
    expect(await failIn(other, budget)).toBe("failed");
    await one.clear([budget.key]);
    expect(await failIn(other, budget)).toBe("failed");
    expect(await failIn(one, budget)).toBe("RATE_LIMITED");
  });
});

describe("the places of an attempt whose process died", () => {
  test("are free after thirty seconds; until then others wait five, and are told to come back", async () => {
    const [dying, living] = await Promise.all([openGuard(), openGuard()]);
    const budget = budgetOf("abandoned", 1);
    void dying.run(
      [budget],
      () => new Promise(() => {}),
      () => true,
    );
    await until(async () => (await redis.keys("atrium:attempts:*:held")).length === 1);
    await dying.die();
    const startedAt = performance.now();
    expect(await succeedIn(living, budget)).toBe("BUSY");
    const waitedMs = performance.now() - startedAt;
    expect(waitedMs).toBeGreaterThan(4_900);
    expect(waitedMs).toBeLessThan(6_000);
    const waiting = succeedIn(living, budget);
    await pass(25_000);
    expect(await waiting).toBe("done");
  });
});

describe("what is stored in Redis", () => {
  test("identifies no one, and expires with its window", async () => {
    const guard = await openGuard();
    const key = "sign-in:ada@example.test 203.0.113.9";
    await failIn(guard, { ...budgetOf(key, 10), windowMs: 900_000 });
    await guard.clear([key]);
    await failIn(guard, { ...budgetOf(key, 10), windowMs: 900_000 });
    const keys = await redis.keys("*");
    expect(keys.filter((key) => !/^atrium:attempts:[0-9a-f]{64}(?::held|:forgiven)?$/.test(key))).toEqual([]);
    for (const key of keys) {
      expect(await redis.pttl(key)).toBeGreaterThan(0);
      expect(await redis.pttl(key)).toBeLessThanOrEqual(900_000);
      expect(JSON.stringify(await redis.zrange(key, "0", "-1"))).not.toContain("ada@");
    }
    // Nor can anyone work out which key is whose.
    const digest = new Bun.CryptoHasher("sha256").update(key).digest("hex");
    expect(keys.some((name) => name.includes(digest))).toBe(false);
  });

  test("is another installation's as long as the secret is another", async () => {
    const guard = await openGuard();
    const stranger = await openGuard(new TextEncoder().encode("the secret of someone else"));
    expect(await failIn(stranger, budgetOf("whose", 1))).toBe("failed");
    expect(await failIn(guard, budgetOf("whose", 1))).toBe("failed");
    expect(await failIn(guard, budgetOf("whose", 1))).toBe("RATE_LIMITED");
  });

  test("is complete when a guard is closed: it sends what is under way first", async () => {
    const [one, other] = await Promise.all([openGuard(), openGuard()]);
    await failIn(one, budgetOf("last words", 1));
    await one.close();
    expect(await failIn(other, budgetOf("last words", 1))).toBe("RATE_LIMITED");
  });
});
