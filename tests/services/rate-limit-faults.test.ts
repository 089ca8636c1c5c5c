import { describe, expect, test } from "bun:test";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { type FaultProxy, startFaultProxy } from "#api/testing/fault-proxy.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { ownMsOf } from "#api/testing/own-ms-of.ts";
import { burst, newKey, passedOf } from "#api/testing/rate-limiter-contract.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { until } from "#api/testing/until.ts";
import { openLimiter } from "./limiters.ts";
import { type RedisServer, startRedis } from "./redis.ts";

const endings = endAfterEachTest();

const rule = { max: 50, windowMs: 60_000 };
const allow = (server: RedisServer, password: string): Promise<unknown> =>
  server.tell(
    "acl",
    "setuser",
    "ada",
    "on",
    "resetpass",
    `>${password}`,
    "allcommands",
    "allkeys",
    "allchannels",
  );

/** A Redis server, a line to it that can be disturbed, and a limiter at the other end of the line. */
const newStage = async () => {
  const server = await startRedis();
  endings.push(server.stop);
  await allow(server, "hunter2");
  const proxy = await startFaultProxy({ host: "127.0.0.1", port: server.port });
  endings.push(proxy.close);
  const log = createRecordingLog();
  const { limiter, link } = openLimiter({ url: `redis://ada:hunter2@127.0.0.1:${proxy.port}`, log });
  endings.push(link.close);
  await until(() => link.isUp);
  return { server, proxy, limiter, link, log };
};

/** Five clients that ask without end: for `key`, and for fresh ones, so that there is always something to ask Redis. */
const startLoad = (limiter: RateLimiter, key: string) => {
  const seen = { passed: 0, slowestMs: 0 };
  let isOver = false;
  let asks = 0;
  const takeTimed = async (taken: string): Promise<boolean> => {
    let isAllowed = false;
    const ownMs = await ownMsOf(async () => {
      ({ isAllowed } = await limiter.take(taken, rule));
    });
    seen.slowestMs = Math.max(seen.slowestMs, ownMs);
    return isAllowed;
  };
  const client = async (): Promise<void> => {
    while (!isOver) {
      const [isAllowed] = await Promise.all([takeTimed(key), takeTimed(newKey())]);
      if (isAllowed) seen.passed += 1;
      asks += 1;
      await Bun.sleep(10);
    }
  };
  const clients = Array.from({ length: 5 }, client);
  /** Resolves when they have asked so many times more. */
  const asked = (times: number) => {
    const before = asks;
    return until(() => asks >= before + times);
  };
  const stop = async () => {
    isOver = true;
    await Promise.all(clients);
  };
  endings.push(stop);
  return { seen, asked, stop };
};

type Disturbed = { server: RedisServer; proxy: FaultProxy };
type Fault = { name: string; begin(stage: Disturbed): unknown; end(stage: Disturbed): unknown };

const faults: Fault[] = [
  {
    name: "is killed",
    begin: ({ server }) => server.kill(),
    end: async ({ server }) => {
      await server.restart();
      await allow(server, "hunter2");
    },
  },
  { name: "hangs", begin: ({ server }) => server.freeze(), end: ({ server }) => server.thaw() },
  {
    name: "answers five seconds late",
    begin: ({ proxy }) => proxy.slow(5_000),
    end: ({ proxy }) => proxy.mend(),
  },
  { name: "is cut off", begin: ({ proxy }) => proxy.cut(), end: ({ proxy }) => proxy.mend() },
  {
    name: "becomes a read-only replica",
    begin: ({ server }) => server.tell("replicaof", "127.0.0.1", "1"),
    end: ({ server }) => server.tell("replicaof", "no", "one"),
  },
  {
    name: "has no memory left",
    begin: ({ server }) => server.tell("config", "set", "maxmemory", "1"),
    end: ({ server }) => server.tell("config", "set", "maxmemory", "0"),
  },
  {
    name: "wants another password",
    begin: async ({ server }) => {
      await allow(server, "another");
      await server.tell("client", "kill", "user", "ada");
    },
    end: ({ server }) => allow(server, "hunter2"),
  },
];

describe("R6: while Redis cannot be used", () => {
  test.each(faults)(
    "because it $name, no request waits, the limit holds, and it is used again within five seconds",
    async ({ begin, end }) => {
      const stage = await newStage();
      const { limiter, link, log } = stage;
      const before = startLoad(limiter, newKey());
      await until(() => before.seen.passed === rule.max);
      await begin(stage);
      await until(() => !link.isUp);
      expect(limiter.store).toBe("memory");
      const meanwhile = startLoad(limiter, newKey());
      // Through several tries to connect.
      await Bun.sleep(1_500);
      expect(link.isUp).toBe(false);
      await end(stage);
      expect(await until(() => link.isUp)).toBeLessThan(5_000);
      expect(limiter.store).toBe("redis");
      await Promise.all([before.asked(20), meanwhile.asked(20)]);
      for (const load of [before, meanwhile]) {
        await load.stop();
        expect(load.seen.passed).toBe(rule.max);
        expect(load.seen.slowestMs).toBeLessThan(300);
      }
      expect(log.entries.filter(({ level }) => level === "warn")).toHaveLength(1);
      expect(JSON.stringify(log.entries)).not.toContain("hunter2");
    },
  );

  test("because the line comes and goes each second, the limit holds and memory stays as it was", async () => {
    const { proxy, limiter, link } = await newStage();
    const key = newKey();
    const load = startLoad(limiter, key);
    await until(() => load.seen.passed === rule.max);
    Bun.gc(true);
    const rssBefore = process.memoryUsage().rss;
    for (let round = 0; round < 6; round += 1) {
      if (round % 2 === 0) proxy.cut();
      else await proxy.mend();
      const crowd = newKey();
      expect(passedOf(await burst(limiter, { key: crowd, rule, count: 2_000 }))).toBe(rule.max);
      await Bun.sleep(1_000);
    }
    await until(() => link.isUp);
    await load.stop();
    Bun.gc(true);
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(40_000_000);
    expect(load.seen.passed).toBe(rule.max);
    expect(load.seen.slowestMs).toBeLessThan(300);
  });

  test("each of two processes allows no more than the limit meanwhile", async () => {
    const { server, limiter, proxy } = await newStage();
    const other = openLimiter({ url: server.url() });
    endings.push(other.link.close);
    await until(() => other.link.isUp);
    const key = newKey();
    proxy.cut();
    expect(passedOf(await burst(limiter, { key, rule, count: 200 }))).toBe(rule.max);
    expect(passedOf(await burst(other.limiter, { key, rule, count: 200 }))).toBe(rule.max);
    expect(passedOf(await burst(limiter, { key, rule, count: 200 }))).toBe(0);
  });
});
