import type { Change } from "./redis-ledger.ts";

/** A change with the moment at which it happened, in milliseconds of `clock.uptimeMs()`. */
export type DatedChange = { change: Change; atMs: number };

/** Changes that Redis has not heard of, in the order in which they happened. */
export type MissedChanges = {
  add(missed: DatedChange): void;
  /** Takes up to `most` out, the oldest first. */
  take(most: number): DatedChange[];
};

// A failure costs a password hash, so that these are minutes of an attack; what is forgotten still counts in memory.
const mostMissed = 10_000;

/** A bounded list: when it is full, the oldest change is forgotten. */
export const createMissedChanges = (): MissedChanges => {
  let list: DatedChange[] = [];
  return {
    add: (missed) => {
      list.push(missed);
      if (list.length > mostMissed) list.shift();
    },
    take: (most) => {
      // What was on its way when the line broke is added later than what was not sent at all.
      list.sort((one, other) => one.atMs - other.atMs);
      const taken = list.slice(0, most);
      list = list.slice(most);
      return taken;
    },
  };
};
