import type { Clock } from "#api/core/clock.ts";
import type { RateDecision, RateRule } from "./rate-limiter.ts";
import { createRecentLogs, type RecentLogsBounds } from "./recent-logs.ts";
import { addRequest, countOf, dropThrough, momentAfter } from "./request-log.ts";

export type MemoryRateLimiterOptions = {
  clock: Clock;
  /** What is kept of keys that have room left. */
  open?: RecentLogsBounds;
  /** What is kept of keys that have none. */
  full?: RecentLogsBounds;
};

/** The limiter of one process. Nothing in it waits, so that it is exact however many requests come at once. */
export type MemoryRateLimiter = {
  take(key: string, rule: RateRule): RateDecision;
  /** What `take` would decide; counts nothing. */
  look(key: string, rule: RateRule): RateDecision;
  forget(key: string): void;
  /** How many keys are remembered. */
  size(): number;
};

// Less than 150 MB with all the garbage that filling it makes; some 40 MB last.
const openBounds = { mostKeys: 100_000, mostNumbers: 1_000_000 };
const fullBounds = { mostKeys: 50_000, mostNumbers: 1_000_000 };

/**
 * Counts exactly: a log of the requests that passed, for each key. Time is told by a clock that nobody can set. Keys
 * without room stand apart, so that a flood of fresh ones frees nobody. Bounds and reasons:
 * docs/decisions/0017-rate-limiting.md.
 */
export const createMemoryRateLimiter = ({
  clock,
  open: mostOpen = openBounds,
  full: mostFull = fullBounds,
}: MemoryRateLimiterOptions): MemoryRateLimiter => {
  const open = createRecentLogs(mostOpen);
  const full = createRecentLogs(mostFull);

  const decide = (key: string, rule: RateRule, cost: 0 | 1): RateDecision => {
    const { max, windowMs } = rule;
    const nowMs = clock.uptimeMs();
    const log = full.take(key) ?? open.take(key) ?? [];
    dropThrough(log, nowMs - windowMs);
    const counted = countOf(log);
    const isAllowed = counted < max;
    if (isAllowed && cost > 0) addRequest(log, { nowMs, rule });
    const used = isAllowed ? counted + cost : counted;
    const isFull = used >= max;
    if (log.length > 0) (isFull ? full : open).put(key, { log, nowMs, windowMs });
    const decisiveMs = momentAfter(log, isFull ? used - max : 0);
    return {
      isAllowed,
      remaining: isFull ? 0 : max - used,
      // Moments are rounded up, so that the newest one may be a little ahead.
      resetMs: decisiveMs === null ? windowMs : Math.min(windowMs, decisiveMs + windowMs - nowMs),
    };
  };

  return {
    take: (key, rule) => decide(key, rule, 1),
    look: (key, rule) => decide(key, rule, 0),
    forget: (key) => {
      full.take(key);
      open.take(key);
    },
    size: () => open.size + full.size,
  };
};
