import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";

/** How many keys are remembered; the ones used longest ago are forgotten first. */
export type AttemptGuardOptions = { clock: Clock; mostKeys?: number };

type Tally = { failedAtMs: number[]; underWay: number; waiting: (() => void)[] };

// More people than ever sign in to one account at once; whoever comes after them is told to come back.
const mostWaiting = 64;

/**
 * Counts failures in this process. An attempt holds its place while it runs, so that any number of parallel attempts
 * has no more failures than the budget; one that finds all places held waits for the outcome of the others instead
 * of being refused, because theirs may be right.
 */
export const createAttemptGuard = ({ clock, mostKeys = 50_000 }: AttemptGuardOptions): AttemptGuard => {
  const records = new Map<string, Tally>();

  const recordOf = (key: string): Tally => {
    const record = records.get(key) ?? { failedAtMs: [], underWay: 0, waiting: [] };
    // Put last again: the order of the map is the order of use.
    records.delete(key);
    records.set(key, record);
    if (records.size > mostKeys) forgetOldest(records);
    return record;
  };

  /** The first budget that has no room, with its record. Drops failures that are out of the window. */
  const findFull = (budgets: AttemptBudget[]) => {
    const nowMs = clock.now().getTime();
    for (const budget of budgets) {
      const record = recordOf(budget.key);
      record.failedAtMs = record.failedAtMs.filter((atMs) => atMs > nowMs - budget.windowMs);
      if (record.failedAtMs.length + record.underWay >= budget.most) return { budget, record, nowMs };
    }
    return null;
  };

  const enter = async (budgets: AttemptBudget[]): Promise<Tally[]> => {
    for (let full = findFull(budgets); full !== null; full = findFull(budgets)) {
      const { budget, record, nowMs } = full;
      if (record.failedAtMs.length >= budget.most) throw tooMany(budget, record, nowMs);
      if (record.waiting.length >= mostWaiting) throw new AppError("BUSY", undefined, { retryAfterS: 1 });
      await new Promise<void>((resolve) => record.waiting.push(resolve));
    }
    const held = budgets.map(({ key }) => recordOf(key));
    for (const record of held) record.underWay += 1;
    return held;
  };

  const leave = (held: Tally[], hasFailed: boolean): void => {
    for (const record of held) {
      record.underWay -= 1;
      if (hasFailed) record.failedAtMs.push(clock.now().getTime());
      // All of them look again: it depends on their other budgets whose turn it is.
      for (const wake of record.waiting.splice(0)) wake();
    }
  };

  return {
    run: async (budgets, work, isFailure) => {
      const held = await enter(budgets);
      let hasFailed = false;
      try {
        return await work();
      } catch (error) {
        hasFailed = isFailure(error);
        throw error;
      } finally {
        leave(held, hasFailed);
      }
    },
  };
};

const tooMany = ({ windowMs, message }: AttemptBudget, { failedAtMs }: Tally, nowMs: number): AppError => {
  const waitMs = (failedAtMs[0] ?? nowMs) + windowMs - nowMs;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("RATE_LIMITED", message(retryAfterS), { retryAfterS });
};

const forgetOldest = (records: Map<string, Tally>): void => {
  for (const [key, { underWay, waiting }] of records) {
    if (underWay > 0 || waiting.length > 0) continue;
    records.delete(key);
    return;
  }
};
