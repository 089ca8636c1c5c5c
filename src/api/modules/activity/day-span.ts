/** Rows between two moments, to be counted one by one; the second is the first moment behind them. */
export type CountedSpan = { sign: 1 | -1; fromMs: number; toMs: number };

/**
 * How to count the rows between two moments by whole days: those from `firstDay` to before `endDay`, in days since
 * 1970, `null` without a bound, and what is to be added to them or taken away from them at the ends.
 */
export type DaySpan = { firstDay: number | null; endDay: number | null; corrections: CountedSpan[] };

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Splits the time between two moments, in milliseconds since 1970, `null` without a bound, so that as little as
 * possible is counted one by one: half a day at each end at most.
 */
export const daySpan = (fromMs: number | null, toMs: number | null): DaySpan => {
  const firstDay = fromMs === null ? null : nearestDay(fromMs);
  const endDay = toMs === null ? null : nearestDay(toMs);
  const corrections = [
    ...(fromMs === null || firstDay === null ? [] : between(fromMs, firstDay * dayMs)),
    ...(toMs === null || endDay === null ? [] : between(endDay * dayMs, toMs)),
  ];
  const correctedMs = corrections.reduce((sum, part) => sum + part.toMs - part.fromMs, 0);
  if (fromMs !== null && toMs !== null && toMs - fromMs <= correctedMs) {
    return { firstDay: 0, endDay: 0, corrections: [{ sign: 1, fromMs, toMs }] };
  }
  return { firstDay, endDay, corrections };
};

const nearestDay = (ms: number): number => Math.round(ms / dayMs);

/** From one moment to the other: to be added, or to be taken away where they stand the other way round. */
const between = (fromMs: number, toMs: number): CountedSpan[] => {
  if (fromMs === toMs) return [];
  return fromMs < toMs ? [{ sign: 1, fromMs, toMs }] : [{ sign: -1, fromMs: toMs, toMs: fromMs }];
};
