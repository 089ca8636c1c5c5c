import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { RateDecision, RateLimiter, RateRule } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { RedisLink } from "#api/adapters/redis/redis-link.ts";
import { createRandom } from "./random.ts";

/** A limiter, and a way to let its time pass. */
export type LimiterStage = {
  limiter: RateLimiter;
  pass(ms: number): Promise<void>;
  /** Milliseconds on the limiter's own clock. */
  nowMs(): number;
  close(): Promise<void>;
};

/** A link to no server at all. */
export const noRedis: RedisLink = {
  isUp: false,
  isConfigured: false,
  state: () => ({ state: "unused", server: null, source: null, since: "", reason: null }),
  ask: async () => null,
  onConnect: () => {},
  use: () => {},
  subscribe: () => () => {},
  close: async () => {},
};

/** Sends `count` simultaneous requests. */
export const burst = (
  limiter: RateLimiter,
  { key, rule, count }: { key: string; rule: RateRule; count: number },
): Promise<RateDecision[]> => Promise.all(Array.from({ length: count }, () => limiter.take(key, rule)));

/** How many of the requests passed. */
export const passedOf = (decisions: RateDecision[]): number =>
  decisions.filter(({ isAllowed }) => isAllowed).length;

/** A key that no other test has. */
export const newKey = (): string => `core 203.0.113.9 ${randomUUID()}`;

const windowMs = 60_000;

/** Tests of what every limiter promises, wherever it counts. */
export const testRateLimiter = (name: string, open: () => Promise<LimiterStage>): void => {
  describe(name, () => {
    let stage: LimiterStage;
    beforeAll(async () => {
      stage = await open();
    });
    afterAll(() => stage.close());

    const passing = async (key: string, rule: RateRule, count = 20): Promise<number> =>
      passedOf(await burst(stage.limiter, { key, rule, count }));

    test("says with each request how many are left, and when the oldest expires", async () => {
      const key = newKey();
      const rule = { max: 3, windowMs };
      const first = await stage.limiter.take(key, rule);
      expect(first).toMatchObject({ isAllowed: true, remaining: 2 });
      expect(Math.ceil(first.resetMs / 1000)).toBe(60);
      await stage.pass(20_000);
      expect((await stage.limiter.take(key, rule)).remaining).toBe(1);
      const last = await stage.limiter.take(key, rule);
      expect(last).toMatchObject({ isAllowed: true, remaining: 0 });
      const refused = await stage.limiter.take(key, rule);
      expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
      expect(Math.ceil(last.resetMs / 1000)).toBe(40);
      expect(Math.ceil(refused.resetMs / 1000)).toBe(40);
    });

    test("R3: of 1,000 simultaneous requests exactly 100 pass, in each of twenty rounds", async () => {
      const rule = { max: 100, windowMs };
      for (let round = 0; round < 20; round += 1) {
        const decisions = await burst(stage.limiter, { key: newKey(), rule, count: 1_000 });
        expect(passedOf(decisions)).toBe(100);
        const rests = decisions.filter(({ isAllowed }) => isAllowed).map(({ remaining }) => remaining);
        expect(rests.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, rest) => rest));
      }
    });

    test("R3: no more than the rule says pass in any window, whatever the traffic", async () => {
      const random = createRandom(3);
      const key = newKey();
      const rule = { max: 25, windowMs };
      const passed: { beganMs: number; endedMs: number }[] = [];
      for (let step = 0; step < 150; step += 1) {
        await stage.pass(random.below(8_000));
        const beganMs = stage.nowMs();
        const decisions = await burst(stage.limiter, { key, rule, count: random.below(12) });
        const endedMs = stage.nowMs();
        for (let n = passedOf(decisions); n > 0; n -= 1) passed.push({ beganMs, endedMs });
      }
      expect(passed.length).toBeGreaterThan(rule.max * 5);
      const crowds = passed.filter(({ beganMs }, index) => {
        const next = passed[index + rule.max];
        return next !== undefined && next.endedMs - beganMs < windowMs;
      });
      expect(crowds).toEqual([]);
    });

    test("R3: the limit frees up request by request, not all together", async () => {
      const key = newKey();
      const rule = { max: 10, windowMs };
      expect(await passing(key, rule, 4)).toBe(4);
      await stage.pass(30_000);
      expect(await passing(key, rule)).toBe(6);
      await stage.pass(29_000);
      expect(await passing(key, rule)).toBe(0);
      await stage.pass(1_000);
      expect(await passing(key, rule)).toBe(4);
      await stage.pass(30_000);
      expect(await passing(key, rule)).toBe(6);
    });

    test("counts nothing of what it refuses", async () => {
      const key = newKey();
      const rule = { max: 5, windowMs };
      expect(await passing(key, rule, 50)).toBe(5);
      await stage.pass(50_000);
      expect(await passing(key, rule, 50)).toBe(0);
      await stage.pass(10_000);
      expect(await passing(key, rule, 50)).toBe(5);
    });

    test("R3: a rule that is changed meanwhile counts from the next request on", async () => {
      const key = newKey();
      expect(await passing(key, { max: 10, windowMs })).toBe(10);
      expect(await passing(key, { max: 15, windowMs })).toBe(5);
      expect(await passing(key, { max: 3, windowMs })).toBe(0);
      await stage.pass(30_000);
      expect(await passing(key, { max: 16, windowMs })).toBe(1);
      expect(await passing(key, { max: 16, windowMs: 10_000 })).toBe(15);
      expect(await passing(key, { max: 17, windowMs: 3_600_000 })).toBeLessThanOrEqual(1);
      await stage.pass(61_000);
      expect(await passing(key, { max: 17, windowMs: 3_600_000 })).toBeLessThanOrEqual(1);
    });

    test("R3: a rule that is changed in the middle of a burst lets no more pass than the larger one", async () => {
      const key = newKey();
      const rules = [10, 20].map((max) => ({ max, windowMs }));
      const requests = Array.from({ length: 200 }, (_, n) =>
        stage.limiter.take(key, rules[n % 2] ?? { max: 1, windowMs }),
      );
      expect(passedOf(await Promise.all(requests))).toBe(20);
    });

    test("says under a lower limit when the next request passes, not when the oldest expires", async () => {
      const key = newKey();
      await passing(key, { max: 10, windowMs }, 5);
      await stage.pass(30_000);
      await passing(key, { max: 10, windowMs }, 5);
      const refused = await stage.limiter.take(key, { max: 3, windowMs });
      expect(Math.ceil(refused.resetMs / 1000)).toBe(60);
    });

    test("keeps keys apart that look alike", async () => {
      const key = newKey();
      const alike = [key, `${key} `, key.toUpperCase(), `${key}\0`, `${key}\u0301`, ` ${key}`];
      for (const other of alike) expect(await passing(other, { max: 2, windowMs })).toBe(2);
    });

    test("forgets a key that it is told to forget, and no other", async () => {
      const [forgotten, kept] = [newKey(), newKey()];
      const rule = { max: 2, windowMs };
      for (const key of [forgotten, kept]) await passing(key, rule);
      expect(await stage.limiter.forget(forgotten)).toBe(true);
      expect(await passing(forgotten, rule)).toBe(2);
      expect(await passing(kept, rule)).toBe(0);
    });

    test("counts ten thousand as exactly as ten", async () => {
      const key = newKey();
      const rule = { max: 10_000, windowMs };
      for (let n = 0; n < 10; n += 1) expect(await passing(key, rule, 1_000)).toBe(1_000);
      expect(await passing(key, rule, 100)).toBe(0);
      await stage.pass(60_100);
      expect(await passing(key, rule, 1)).toBe(1);
    });
  });
};
