import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";
import { type Leave, mostWaiting, runAttempt, tooBusy, tooMany } from "./attempts.ts";
import { createMemoryLedger, type MemoryLedgerOptions } from "./memory-ledger.ts";

/** The guard of one process, with what another guard needs that keeps it at hand. */
export type MemoryAttemptGuard = AttemptGuard & {
  /** Takes a place in every budget, waiting for the outcome of others; throws as `run` does. */
  enter(budgets: AttemptBudget[]): Promise<Leave>;
  /** Whether failures alone fill a budget. */
  isFull(budget: AttemptBudget): boolean;
  /** Forgets the failures of one budget up to a moment of `clock.uptimeMs()`. */
  clearUntil(budget: AttemptBudget, untilMs: number): void;
};

/**
 * Counts failures in this process. An attempt holds its place while it runs, so that any number of parallel attempts
 * has no more failures than the budget; one that finds all places held waits for the outcome of the others instead
 * of being refused, because theirs may be right.
 */
export const createMemoryAttemptGuard = (options: MemoryLedgerOptions): MemoryAttemptGuard => {
  const ledger = createMemoryLedger(options);
  const waiting = new Map<string, (() => void)[]>();

  const waitFor = async (key: string): Promise<void> => {
    const queue = waiting.get(key) ?? [];
    if (queue.length >= mostWaiting) throw tooBusy();
    waiting.set(key, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
  };

  /** Resolves when `take` was called at a moment at which every budget had room: nothing comes between the look and it. */
  const whenRoom = async <T>(budgets: AttemptBudget[], take: () => T): Promise<T> => {
    for (let found = ledger.look(budgets); found !== null; found = ledger.look(budgets)) {
      if (found.state === "full") throw tooMany(found.budget, found.waitMs);
      await waitFor(found.budget.key);
    }
    return take();
  };

  const wake = (keys: string[]): void => {
    for (const key of keys) {
      const queue = waiting.get(key) ?? [];
      waiting.delete(key);
      // All of them look again: it depends on their other budgets whose turn it is.
      for (const resolve of queue) resolve();
    }
  };

  const hold = (budgets: AttemptBudget[]): Leave => {
    ledger.hold(budgets);
    return (hasFailed) => {
      ledger.release(budgets);
      if (hasFailed) ledger.count(budgets);
      wake(budgets.map(({ key }) => key));
    };
  };

  const enter = (budgets: AttemptBudget[]): Promise<Leave> => whenRoom(budgets, () => hold(budgets));

  return {
    run: runAttempt(enter),
    spend: (budgets) => whenRoom(budgets, () => ledger.count(budgets)),
    clear: async (keys) => {
      ledger.clear(keys);
      wake(keys);
    },
    enter,
    isFull: ledger.isFull,
    clearUntil: ledger.clearUntil,
  };
};
