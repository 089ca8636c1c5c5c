import type { Clock } from "#api/core/clock.ts";

/** A clock that stands still until it is moved. `turn` moves the hands alone, as an administrator would. */
export type TestClock = Clock & { advance(ms: number): void; turn(ms: number): void };

/** Starts at the present, because the database's own clock cannot be moved. */
export const createTestClock = (start = new Date()): TestClock => {
  let now = start.getTime();
  let uptime = 1_000;
  return {
    now: () => new Date(now),
    uptimeMs: () => uptime,
    advance: (ms) => {
      now += ms;
      uptime += ms;
    },
    turn: (ms) => {
      now += ms;
    },
  };
};
