/** A change on trial, with the moment of its end by this browser's clock, in milliseconds. */
export type Trial = { revision: number; endsAt: number };

/**
 * When a change is taken back, by this browser's clock. An answer under way makes the end look later than it is, so of two
 * tellings about the same change the earlier end counts.
 */
export const trialOf = (
  pending: { revision: number; leftMs: number },
  { now, known }: { now: number; known: Trial | null },
): Trial => {
  const endsAt = now + pending.leftMs;
  const isSame = known?.revision === pending.revision;
  return { revision: pending.revision, endsAt: isSame ? Math.min(known.endsAt, endsAt) : endsAt };
};

/** Whole seconds that are left, never below none. */
export const secondsLeft = ({ endsAt }: Trial, now: number): number =>
  Math.max(0, Math.ceil((endsAt - now) / 1_000));

/** At how many seconds before the end whoever cannot see the time is told of it. */
const tellAt = [30, 10] as const;

/** The mark that the countdown passed since it was looked at last; `null` for none. */
export const markPassed = (before: number, after: number): number | null =>
  tellAt.findLast((mark) => before > mark && after <= mark && after > 0) ?? null;

/** Minutes and seconds, such as `1:05`. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
