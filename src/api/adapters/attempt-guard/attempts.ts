import { AppError } from "#api/core/app-error.ts";
import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";

/** A guard that tells others. */
export type ClosableAttemptGuard = AttemptGuard & {
  /** Resolves when what is on its way has been sent; the process is about to end. */
  close(): Promise<void>;
};

/** Why an attempt may not begin: failures fill a budget, or attempts under way do, whose outcome is open. */
export type Obstacle =
  | { state: "full"; budget: AttemptBudget; waitMs: number }
  | { state: "busy"; budget: AttemptBudget };

/** Tells the outcome of an attempt that holds its places. To be called once. */
export type Leave = (hasFailed: boolean) => void;

/** Runs `work` between entering and leaving: see {@link AttemptGuard}. */
export const runAttempt =
  (enter: (budgets: AttemptBudget[]) => Promise<Leave>): AttemptGuard["run"] =>
  async (budgets, work, isFailure) => {
    const leave = await enter(budgets);
    let hasFailed = false;
    try {
      return await work();
    } catch (error) {
      hasFailed = isFailure(error);
      throw error;
    } finally {
      leave(hasFailed);
    }
  };

/** More than ever try at once on one account wait for each other; whoever comes after them is told to come back. */
export const mostWaiting = 64;

/** The refusal of an attempt for which a budget has no room for `waitMs`. */
export const tooMany = ({ message }: AttemptBudget, waitMs: number): AppError => {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("RATE_LIMITED", message(retryAfterS), { retryAfterS });
};

/** The refusal of an attempt that would wait for too many others, or has waited for too long. */
export const tooBusy = (): AppError => new AppError("BUSY", undefined, { retryAfterS: 1 });

/** The same guard; `onRefusal` hears of each call that is one too many. */
export const countedAttempts = (guard: AttemptGuard, onRefusal: () => void): AttemptGuard => {
  // What the work itself throws is no refusal of the guard's, unless it is one of a guard within.
  const seen = (error: unknown): never => {
    if (error instanceof AppError && error.kind === "RATE_LIMITED") onRefusal();
    throw error;
  };
  return {
    run: (budgets, work, isFailure) => guard.run(budgets, work, isFailure).catch(seen),
    spend: (budgets) => guard.spend(budgets).catch(seen),
    clear: (keys) => guard.clear(keys),
  };
};
