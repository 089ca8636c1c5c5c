import { describe, expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createRandom } from "#api/testing/random.ts";
import { createMemoryRateLimiter } from "./create-rate-limiter.ts";

const windowMs = 60_000;
const rule = { max: 3, windowMs };

const newLimiter = (bounds = {}) => {
  const clock = createTestClock();
  return { clock, limiter: createMemoryRateLimiter({ clock, ...bounds }) };
};

test("R3: a request stops counting to the millisecond when its window is over", () => {
  const { clock, limiter } = newLimiter();
  const one = { max: 1, windowMs };
  expect(limiter.take("key", one)).toEqual({ isAllowed: true, remaining: 0, resetMs: windowMs });
  clock.advance(windowMs - 1);
  expect(limiter.take("key", one)).toEqual({ isAllowed: false, remaining: 0, resetMs: 1 });
  clock.advance(1);
  expect(limiter.take("key", one).isAllowed).toBe(true);
});

test("R3: decides as a plain list of all requests would, over random traffic and changing rules", () => {
  const random = createRandom(17);
  const { clock, limiter } = newLimiter();
  let passedMs: number[] = [];
  for (let n = 0; n < 20_000; n += 1) {
    // Fractions of a millisecond are rounded, in favour of the rule, and would differ from the list.
    clock.advance(random.below(400));
    const changing = { max: 40 + random.below(20), windowMs };
    const nowMs = clock.uptimeMs();
    passedMs = passedMs.filter((atMs) => atMs > nowMs - windowMs);
    const isAllowed = passedMs.length < changing.max;
    expect(limiter.look("key", changing).isAllowed).toBe(isAllowed);
    const decision = limiter.take("key", changing);
    if (isAllowed) passedMs.push(nowMs);
    expect(decision.isAllowed).toBe(isAllowed);
    expect(decision.remaining).toBe(Math.max(0, changing.max - passedMs.length));
  }
});

test("R3: under a rule of thousands no window holds more either, and moments are at most a thousandth late", () => {
  const random = createRandom(5);
  const { clock, limiter } = newLimiter();
  const wide = { max: 5_000, windowMs };
  const passedMs: number[] = [];
  const late: number[] = [];
  for (let n = 0; n < 40_000; n += 1) {
    clock.advance(random.below(13));
    const nowMs = clock.uptimeMs();
    const isFull = (passedMs[passedMs.length - wide.max] ?? Number.NEGATIVE_INFINITY) > nowMs - windowMs;
    const { isAllowed } = limiter.take("key", wide);
    if (isAllowed) passedMs.push(nowMs);
    if (isAllowed && isFull) throw new Error("one too many passed");
    if (!isAllowed) late.push(nowMs - windowMs - (passedMs[passedMs.length - wide.max] ?? 0));
  }
  expect(late.length).toBeGreaterThan(100);
  expect(Math.max(...late)).toBeLessThanOrEqual(windowMs / 1_000);
});

describe("R7: when someone sets the clock", () => {
  test.each([3_600_000, -3_600_000, 86_400_000, -86_400_000, windowMs, -windowMs / 2])(
    "by %d ms, no one is let in for it, and no one kept out",
    (turnMs) => {
      const { clock, limiter } = newLimiter();
      for (let n = 0; n < 4; n += 1) limiter.take("key", rule);
      clock.advance(20_000);
      clock.turn(turnMs);
      expect(limiter.take("key", rule)).toEqual({ isAllowed: false, remaining: 0, resetMs: 40_000 });
      clock.advance(39_999);
      expect(limiter.take("key", rule).isAllowed).toBe(false);
      clock.advance(1);
      expect(limiter.take("key", rule)).toMatchObject({ isAllowed: true, remaining: 2 });
    },
  );
});

describe("R8: a limiter with very many keys", () => {
  const small = { mostKeys: 100, mostNumbers: 500 };

  test("frees no one who is refused, however many fresh keys there are", () => {
    const { limiter } = newLimiter({ open: small, full: small });
    for (let n = 0; n < 3; n += 1) limiter.take("offender", rule);
    for (let n = 0; n < 10_000; n += 1) limiter.take(`fresh ${n}`, rule);
    expect(limiter.take("offender", rule).isAllowed).toBe(false);
    expect(limiter.size()).toBeLessThanOrEqual(100 + 1);
  });

  test("keeps counting a client that continues, while others fill it", () => {
    const { limiter } = newLimiter({ open: small, full: small });
    let passed = 0;
    for (let n = 0; n < 10_000; n += 1) {
      limiter.take(`fresh ${n}`, rule);
      if (n % 40 === 0 && limiter.take("busy", { max: 20, windowMs }).isAllowed) passed += 1;
    }
    expect(passed).toBe(20);
  });

  test("refuses those last that filled it, when very many are refused", () => {
    const { limiter } = newLimiter({ open: small, full: small });
    for (let n = 0; n < 1_000; n += 1) for (let m = 0; m < 3; m += 1) limiter.take(`full ${n}`, rule);
    expect(limiter.take("full 999", rule).isAllowed).toBe(false);
    expect(limiter.size()).toBeLessThanOrEqual(200);
    expect(limiter.take("another", rule).isAllowed).toBe(true);
  });

  test("keeps no more of few keys with long logs", () => {
    const { clock, limiter } = newLimiter({ open: small, full: small });
    for (let n = 0; n < 20; n += 1) {
      for (let m = 0; m < 200; m += 1) {
        clock.advance(1);
        limiter.take(`long ${n}`, { max: 1_000, windowMs });
      }
    }
    // One number a moment, and one log that is over the bound.
    expect(limiter.size()).toBeLessThanOrEqual(4);
  });

  test("forgets no one because of one who sends much", () => {
    const { clock, limiter } = newLimiter({ open: small, full: small });
    limiter.take("quiet", rule);
    for (let n = 0; n < 200; n += 1) {
      clock.advance(1);
      limiter.take("busy", { max: 1_000, windowMs });
    }
    expect(limiter.take("quiet", rule).remaining).toBe(1);
  });

  test("keeps no one whose window was over long ago", () => {
    const { clock, limiter } = newLimiter();
    for (let n = 0; n < 1_000; n += 1) limiter.take(`gone ${n}`, rule);
    for (let n = 0; n < 3; n += 1) {
      clock.advance(windowMs);
      limiter.take("here", rule);
    }
    expect(limiter.size()).toBe(1);
  });

  test("a look leaves nothing behind", () => {
    const { limiter } = newLimiter();
    expect(limiter.look("key", rule)).toEqual({ isAllowed: true, remaining: 3, resetMs: windowMs });
    expect(limiter.size()).toBe(0);
  });
});
