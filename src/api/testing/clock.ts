import type { Clock } from "#api/core/clock.ts";

/** A clock that stands still until it is moved. */
export type TestClock = Clock & { advance(ms: number): void };

/** Starts at the present, because the database's own clock cannot be moved. */
export const createTestClock = (start = new Date()): TestClock => {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
};
