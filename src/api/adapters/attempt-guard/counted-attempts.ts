import { AppError } from "#api/core/app-error.ts";
import type { AttemptGuard } from "#api/core/context.ts";

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
