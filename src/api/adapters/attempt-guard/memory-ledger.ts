import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget } from "#api/core/context.ts";
import type { Obstacle } from "./attempts.ts";
import { createRecentMap } from "./recent-map.ts";

/** How many keys with failures are remembered: those with room left and those without, `mostKeys` of each. */
export type MemoryLedgerOptions = { clock: Clock; mostKeys?: number };

/** Failures and attempts under way of this process. Nothing in it waits, so a look and the step after it are one. */
export type MemoryLedger = {
  /** What stands in the way of an attempt: failures before attempts under way, the longest wait before shorter ones. */
  look(budgets: AttemptBudget[]): Obstacle | null;
  /** Takes a place in every budget. */
  hold(budgets: AttemptBudget[]): void;
  /** Gives the places back. */
  release(budgets: AttemptBudget[]): void;
  /** Counts one failure against every budget. */
  count(budgets: AttemptBudget[]): void;
  /** Whether failures alone fill a budget. */
  isFull(budget: AttemptBudget): boolean;
  /** Forgets failures. */
  clear(keys: string[]): void;
  /** Forgets the failures of one budget up to a moment of `clock.uptimeMs()`. */
  clearUntil(budget: AttemptBudget, untilMs: number): void;
  /** How many keys have failures. */
  size(): number;
};

// Some 25 MB of each, when every key is an ordinary address.
const defaultMostKeys = 100_000;

/**
 * Counts in memory, within a bound. Keys that are locked out stand apart from those that have room, so that a flood of
 * fresh keys frees nobody, and measures by a clock that nobody can set. Attempts under way are not bounded here: whoever
 * makes them is.
 */
export const createMemoryLedger = ({
  clock,
  mostKeys = defaultMostKeys,
}: MemoryLedgerOptions): MemoryLedger => {
  const held = new Map<string, number>();
  const open = createRecentMap<number[]>(mostKeys);
  const locked = createRecentMap<number[]>(mostKeys);

  /** Files a key where it belongs, as the one that was asked for last. */
  const file = ({ key, most }: AttemptBudget, failedAtMs: number[]): void => {
    open.delete(key);
    locked.delete(key);
    if (failedAtMs.length > 0) (failedAtMs.length < most ? open : locked).set(key, failedAtMs);
  };

  /** The failures of a key, without those that are out of the window. */
  const failuresOf = (budget: AttemptBudget): number[] => {
    const known = locked.get(budget.key) ?? open.get(budget.key);
    if (known === undefined) return [];
    const horizonMs = clock.uptimeMs() - budget.windowMs;
    const failedAtMs = known.filter((atMs) => atMs > horizonMs);
    file(budget, failedAtMs);
    return failedAtMs;
  };

  return {
    look: (budgets) => {
      let obstacle: Obstacle | null = null;
      for (const budget of budgets) {
        const failures = failuresOf(budget);
        const waitMs = waitFor(budget, failures, clock.uptimeMs());
        const isLonger = obstacle?.state !== "full" || waitMs > obstacle.waitMs;
        if (waitMs > 0 && isLonger) obstacle = { state: "full", budget, waitMs };
        if (obstacle === null && failures.length + (held.get(budget.key) ?? 0) >= budget.most)
          obstacle = { state: "busy", budget };
      }
      return obstacle;
    },
    hold: (budgets) => {
      for (const { key } of budgets) held.set(key, (held.get(key) ?? 0) + 1);
    },
    release: (budgets) => {
      for (const { key } of budgets) {
        const left = (held.get(key) ?? 0) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
    },
    count: (budgets) => {
      for (const budget of budgets) file(budget, [...failuresOf(budget), clock.uptimeMs()]);
    },
    isFull: (budget) => failuresOf(budget).length >= budget.most,
    clearUntil: (budget, untilMs) =>
      file(
        budget,
        failuresOf(budget).filter((atMs) => atMs > untilMs),
      ),
    clear: (keys) => {
      for (const key of keys) {
        open.delete(key);
        locked.delete(key);
      }
    },
    size: () => open.size + locked.size,
  };
};

/** Milliseconds until a budget that is full of failures has room; 0 when it has. */
const waitFor = ({ most, windowMs }: AttemptBudget, failures: number[], nowMs: number): number => {
  const leavesAtMs = failures[failures.length - most];
  return leavesAtMs === undefined ? 0 : leavesAtMs + windowMs - nowMs;
};
