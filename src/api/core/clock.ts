/** The time as operations see it; tests inject one that they move themselves. */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds since some moment in the past, which only grow, even when the machine's clock is set. For
   * spans within this process.
   */
  uptimeMs(): number;
};

export const systemClock: Clock = { now: () => new Date(), uptimeMs: () => performance.now() };

// Clocks of several servers differ by seconds, and nothing here waits for less than an hour.
const toleratedMs = 5 * 60_000;

/**
 * Whether a recorded time is in the future, so that a clock was ahead when it was recorded or is behind now. Five minutes
 * are tolerated, because the clocks of other servers may be slightly ahead.
 */
export const isAhead = (recorded: Date, now: Date): boolean =>
  recorded.getTime() - now.getTime() > toleratedMs;

/** How far ahead of `now` a moment can be before {@link isAhead} reports it. */
export const latestPlausible = (now: Date): Date => new Date(now.getTime() + toleratedMs);
