import type { Counts, MinutesData } from "../../backend/wire.ts";

/** What came in within some minutes that follow each other. */
export type Group = Counts & { at: string };

/** How long the chart looks back, in hours, and how many minutes each of its bars then stands for. */
export const chartRanges = [
  { hours: 1, minutes: 1 },
  { hours: 6, minutes: 5 },
  { hours: 24, minutes: 15 },
] as const;

const minuteMs = 60_000;

/** The minutes gathered into groups that begin at full multiples of `size` minutes, oldest first; none is left out. */
export const groupMinutes = (minutes: MinutesData["minutes"], size: number): Group[] => {
  const groups: Group[] = [];
  for (const minute of minutes) {
    const begin = Math.floor(Date.parse(minute.at) / (size * minuteMs)) * size * minuteMs;
    const at = new Date(begin).toISOString();
    const last = groups.at(-1);
    if (last?.at === at) groups[groups.length - 1] = { ...added(last, minute), at };
    else groups.push({ ...minute, at });
  }
  return groups;
};

const added = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  blocked: a.blocked + b.blocked,
  wouldBlock: a.wouldBlock + b.wouldBlock,
  limited: a.limited + b.limited,
  spared: a.spared + b.spared,
});

/** All requests of a group: whatever was counted went through or was stopped. */
export const allOf = ({ passed, blocked, wouldBlock, limited, spared }: Counts): number =>
  passed + blocked + wouldBlock + limited + spared;

/** Those that were refused. */
export const stoppedOf = ({ blocked, limited }: Counts): number => blocked + limited;
