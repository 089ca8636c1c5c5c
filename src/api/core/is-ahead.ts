// Clocks of several servers differ by seconds, and nothing here waits for less than an hour.
const toleratedMs = 5 * 60_000;

/**
 * Whether a moment that was noted in the past lies in the future, so that a clock must have been ahead when it was noted, or
 * is behind now. By five minutes at least: what another server has noted just now may lie a little ahead of this one's clock.
 */
export const isAhead = (noted: Date, now: Date): boolean => noted.getTime() - now.getTime() > toleratedMs;

/** How far ahead of `now` a moment may lie that {@link isAhead} takes for a true one. */
export const furthestTrue = (now: Date): Date => new Date(now.getTime() + toleratedMs);
