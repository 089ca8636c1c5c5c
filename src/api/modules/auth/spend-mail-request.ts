import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";

/**
 * Counts a request for a mail against the place it comes from, whatever the address: nobody floods the mailboxes of
 * others. False once the place has asked too often; the answer must not tell.
 */
export const spendMailRequest = (ctx: Context): Promise<boolean> => {
  const budget = silent("mail-request:", limits.mailRequestsByIp, limits.signInWindowMs);
  return spendSilently(ctx, placeBudgets(ctx.ip, budget));
};

/** A budget of which nobody is told. */
export const silent = (key: string, most: number, windowMs: number): AttemptBudget => ({
  key,
  most,
  windowMs,
  message: () => errorTexts.RATE_LIMITED,
});

/** Counts one call against every budget; false, and nothing is counted, when one of them is used up. */
export const spendSilently = async (ctx: Context, budgets: AttemptBudget[]): Promise<boolean> => {
  try {
    await ctx.attempts.spend(budgets);
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "RATE_LIMITED")) throw error;
    noteActivity(ctx, {
      type: "suspicious_activity",
      action: "Asked for mails too often",
      description: "No more are sent for a while; whoever asks is not told",
      status: "failure",
      severity: "high",
    });
    return false;
  }
};
