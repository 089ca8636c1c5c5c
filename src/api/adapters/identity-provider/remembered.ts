import type { Clock } from "#api/core/clock.ts";

/** What a provider publishes about itself, fetched when first wanted. */
export type Remembered<T> = {
  /** The value, at most as old as was allowed; rejects as the fetching does. */
  get(): Promise<T>;
  /** The value as it is now. */
  renew(): Promise<T>;
};

export type RememberedOptions<T> = {
  load: () => Promise<T>;
  clock: Clock;
  freshMs: number;
  /** How long a failure is repeated without another try. */
  failedMs: number;
};

/** Keeps what `load` gives for `freshMs`, a failure for `failedMs`; who asks while it is fetched gets the same answer. */
export const createRemembered = <T>({
  load,
  clock,
  freshMs,
  failedMs,
}: RememberedOptions<T>): Remembered<T> => {
  let kept: { value: Promise<T>; untilMs: number } | null = null;
  let underWay: Promise<T> | null = null;

  const isFresh = () => kept !== null && clock.now().getTime() < kept.untilMs;

  const renew = (): Promise<T> => {
    if (underWay) return underWay;
    const value = load();
    const end = (keepMs: number | null) => {
      if (keepMs !== null) kept = { value, untilMs: clock.now().getTime() + keepMs };
      underWay = null;
    };
    underWay = value;
    value.then(
      () => end(freshMs),
      // What was good a moment ago stays good.
      () => end(isFresh() ? null : failedMs),
    );
    return value;
  };

  return {
    get: () => (kept && isFresh() ? kept.value : renew()),
    renew,
  };
};
