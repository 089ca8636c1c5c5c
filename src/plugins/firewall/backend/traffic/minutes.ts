import type { Counts, Verdict } from "../wire.ts";

/** How many requests there were in each minute of the last 24 hours, on this replica. */
export type Minutes = {
  add(verdict: Verdict, isSpared: boolean): void;
  /** The minutes of the last so many hours, oldest first, those without requests too. */
  list(hours: number): (Counts & { at: string })[];
  sum(hours: number): Counts;
};

const minuteMs = 60_000;
const kept = 24 * 60;

const none = (): Counts => ({ passed: 0, blocked: 0, wouldBlock: 0, limited: 0, spared: 0 });

const fields: Record<Verdict, keyof Counts> = {
  passed: "passed",
  noticed: "passed",
  blocked: "blocked",
  "would-block": "wouldBlock",
  limited: "limited",
};

/** Nothing is counted yet. */
export const createMinutes = (now: () => number): Minutes => {
  const slots: { minute: number; counts: Counts }[] = Array.from({ length: kept }, () => ({
    minute: -1,
    counts: none(),
  }));
  const minuteOf = (ms: number) => Math.floor(ms / minuteMs);
  const at = (minute: number): Counts | null => {
    const slot = slots[minute % kept];
    return slot?.minute === minute ? slot.counts : null;
  };
  const list = (hours: number) => {
    const last = minuteOf(now());
    const length = Math.min(kept, hours * 60);
    return Array.from({ length }, (_, index) => {
      const minute = last - length + 1 + index;
      return { at: new Date(minute * minuteMs).toISOString(), ...(at(minute) ?? none()) };
    });
  };
  return {
    add: (verdict, isSpared) => {
      const minute = minuteOf(now());
      const counts = at(minute) ?? none();
      slots[minute % kept] = { minute, counts };
      counts[fields[verdict]] += 1;
      if (isSpared) counts.spared += 1;
    },
    list,
    sum: (hours) => {
      const sum = none();
      for (const { at: _at, ...counts } of list(hours)) {
        sum.passed += counts.passed;
        sum.blocked += counts.blocked;
        sum.wouldBlock += counts.wouldBlock;
        sum.limited += counts.limited;
        sum.spared += counts.spared;
      }
      return sum;
    },
  };
};
