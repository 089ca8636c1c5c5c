import type { RequestLog } from "./request-log.ts";

/** What is kept at most: `mostKeys` logs, and `mostNumbers` numbers in all of them together. */
export type RecentLogsBounds = { mostKeys: number; mostNumbers: number };

/** A log with the moment of its use, and how long requests matter. */
export type UsedLog = { log: RequestLog; nowMs: number; windowMs: number };

/** Logs by key, of bounded size; those that were used longest ago are forgotten first. */
export type RecentLogs = {
  /** Takes a log out, so that it may be changed. */
  take(key: string): RequestLog | undefined;
  /** Puts a log back that is not there. */
  put(key: string, used: UsedLog): void;
  /** How many logs there are. */
  readonly size: number;
};

type Generation = { logs: Map<string, RequestLog>; numbers: number };

const newGeneration = (): Generation => ({ logs: new Map(), numbers: 0 });

/**
 * Forgets in two generations, since taking the oldest entry out of a `Map` one by one takes ever longer. A log that is
 * put back is young. The old ones are dropped as soon as the young ones are half of what is kept at most, and when
 * nobody has asked for them in a whole window.
 */
export const createRecentLogs = ({ mostKeys, mostNumbers }: RecentLogsBounds): RecentLogs => {
  let young = newGeneration();
  let old = newGeneration();
  let bornMs = 0;
  let longestWindowMs = 0;

  const isOver = ({ nowMs, windowMs }: UsedLog): boolean => {
    longestWindowMs = Math.max(longestWindowMs, windowMs);
    const isHalf = young.logs.size * 2 >= mostKeys || young.numbers * 2 >= mostNumbers;
    return isHalf || nowMs - bornMs >= longestWindowMs;
  };

  return {
    take: (key) => {
      const generation = young.logs.has(key) ? young : old;
      const log = generation.logs.get(key);
      if (log === undefined) return undefined;
      generation.logs.delete(key);
      generation.numbers -= log.length;
      return log;
    },
    put: (key, used) => {
      young.logs.set(key, used.log);
      young.numbers += used.log.length;
      if (!isOver(used)) return;
      old = young;
      young = newGeneration();
      bornMs = used.nowMs;
    },
    get size() {
      return young.logs.size + old.logs.size;
    },
  };
};
