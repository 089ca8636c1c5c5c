import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createServerHealth } from "./server-health.ts";

test("after failures the server is asked with one mail after 10, 30 and then every 60 seconds", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  for (const pauseMs of [10_000, 30_000, 60_000, 60_000]) {
    health.failed(clock.now());
    clock.advance(pauseMs - 1);
    expect(health.allowance(clock.now(), 4)).toBe(0);
    clock.advance(1);
    expect(health.allowance(clock.now(), 4)).toBe(1);
  }
});

test("tries that fail together count as one failure", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  expect([1, 2, 3].map(() => health.failed(clock.now()))).toEqual([true, false, false]);
  clock.advance(10_000);
  expect(health.allowance(clock.now(), 4)).toBe(1);
});

test("one mail that gets through lifts the pause and the limit", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  health.failed(clock.now());
  expect(health.answered()).toBe(true);
  expect(health.allowance(clock.now(), 4)).toBe(4);
  expect(health.answered()).toBe(false);
});
