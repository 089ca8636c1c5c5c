import { expect, test } from "bun:test";
import { createTestClock } from "#api/testing/clock.ts";
import { createServerHealth } from "./mail-worker.ts";

test("after failures the server is asked with one email after 10, 30 and then every 60 seconds", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  for (const pauseMs of [10_000, 30_000, 60_000, 60_000]) {
    health.failed(clock.now(), "away");
    clock.advance(pauseMs - 1);
    expect(health.allowance(clock.now(), 4)).toBe(0);
    clock.advance(1);
    expect(health.allowance(clock.now(), 4)).toBe(1);
  }
});

test("tries that fail together count as one failure", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  expect([1, 2, 3].map(() => health.failed(clock.now(), "away"))).toEqual([true, false, false]);
  clock.advance(10_000);
  expect(health.allowance(clock.now(), 4)).toBe(1);
});

test("one email that gets through lifts the pause and the limit", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  health.failed(clock.now(), "away");
  expect(health.answered()).toBe(true);
  expect(health.allowance(clock.now(), 4)).toBe(4);
  expect(health.answered()).toBe(false);
});

test("it says why nothing gets through, until something does", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  expect(health.lastError).toBeNull();
  health.failed(clock.now(), "refused");
  clock.advance(10_000);
  health.failed(clock.now(), "silent");
  expect(health.lastError).toBe("silent");
  health.answered();
  expect(health.lastError).toBeNull();
});

test("a request to hurry has the server asked immediately, with one email", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  health.failed(clock.now(), "away");
  health.hurry();
  expect(health.allowance(clock.now(), 4)).toBe(1);
});
