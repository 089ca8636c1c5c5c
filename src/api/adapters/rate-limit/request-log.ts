import type { RateRule } from "./rate-limiter.ts";

/**
 * When requests of one key were counted, the oldest first. Each number is a run: a moment in whole milliseconds times
 * 16,384, plus how many requests it counts. One number instead of two, because there may be a million of them;
 * it is exact for seventeen years from the clock's beginning, which is about that of the process.
 */
export type RequestLog = number[];

const runUnit = 16_384;
const momentOfRun = (run: number): number => Math.floor(run / runUnit);
const countOfRun = (run: number): number => run % runUnit;

// Above this many requests, moments are rounded: a log has about as many runs at most, whatever the rule allows.
const mostRuns = 1_000;

/** Forgets what happened at `horizonMs` or before. */
export const dropThrough = (log: RequestLog, horizonMs: number): void => {
  const kept = log.findIndex((run) => momentOfRun(run) > horizonMs);
  if (kept !== 0) log.splice(0, kept < 0 ? log.length : kept);
};

/** How many requests a log counts. */
export const countOf = (log: RequestLog): number => {
  let count = 0;
  for (const run of log) count += countOfRun(run);
  return count;
};

/**
 * Counts a request. Moments are rounded up, to a millisecond or, under a rule that allows very many, to a thousandth of
 * its window: a request then counts for that much longer, and never for less.
 */
export const addRequest = (log: RequestLog, { nowMs, rule }: { nowMs: number; rule: RateRule }): void => {
  const grainMs = rule.max > mostRuns ? Math.max(1, Math.floor(rule.windowMs / mostRuns)) : 1;
  const atMs = Math.ceil(nowMs / grainMs) * grainMs;
  const last = log.at(-1) ?? 0;
  // The rule may have been a coarser one a moment ago.
  const isSameRun = momentOfRun(last) >= atMs && countOfRun(last) < runUnit - 1;
  if (isSameRun) log[log.length - 1] = last + 1;
  else log.push(Math.max(atMs, momentOfRun(last)) * runUnit + 1);
};

/** The moment at which the request after `skipped` older ones was counted; `null` when there is none. */
export const momentAfter = (log: RequestLog, skipped: number): number | null => {
  let left = skipped;
  for (const run of log) {
    left -= countOfRun(run);
    if (left < 0) return momentOfRun(run);
  }
  return null;
};
