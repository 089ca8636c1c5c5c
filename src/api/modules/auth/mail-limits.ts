import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { returnMailTurn, takeMailTurn } from "./store.ts";

/** What anyone can have an address emailed by, each counted on its own. */
type MailRequest = "forgot" | "resend" | "register";

/** `at` is now; `isRegistrant`: the browser that asks has registered this very address. */
type Asked = { at: Date; turn: string; request: MailRequest; key: string; isRegistrant?: boolean };

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Whether an address may be emailed on a stranger's request now: once a minute, ten times an hour and thirty times a day.
 * Takes the turn of the name `turn`, which others wait for until the transaction ends, and gives it back when the address
 * may not be emailed. The answer must not tell.
 */
export const mayMail = async (ctx: Context, tx: Database, asked: Asked): Promise<boolean> => {
  if (!(await takeMailTurn(tx, asked.turn, asked.at))) return false;
  if (await spendSilently(ctx, budgetsOf(ctx, asked))) return true;
  await returnMailTurn(tx, asked.turn);
  return false;
};

/**
 * One network can't use up an address's emails, and of its links that are sent again the last ten a day are kept for a
 * browser that registered it: a stranger must not spend the owner's turns.
 */
const budgetsOf = ({ ip }: Context, { request, key, isRegistrant = false }: Asked): AttemptBudget[] => {
  const budget = `mail-to:${request}:${key}`;
  const all = limits.mailsByAddressInADay;
  const shared = all - limits.mailsKeptForRegistrants;
  const ofAll = [
    silent(`${budget} in an hour`, limits.mailsByAddressInAnHour, hourMs),
    silent(`${budget} in a day`, request === "resend" && !isRegistrant ? shared : all, dayMs),
  ];
  const ofPlaceInAnHour = silent(
    `${budget} in an hour from `,
    limits.mailsByAddressAndNetworkInAnHour,
    hourMs,
  );
  const ofPlaceInADay = silent(`${budget} in a day from `, shared, dayMs);
  return [...ofAll, ...placeBudgets(ip, ofPlaceInAnHour), ...placeBudgets(ip, ofPlaceInADay)];
};

/**
 * Counts a request for an email against the place it comes from, whatever the address: no one floods the mailboxes of
 * others. False once the place has asked too often; the answer must not tell.
 */
export const spendMailRequest = (ctx: Context): Promise<boolean> => {
  const budget = silent("mail-request:", limits.mailRequestsByIp, limits.signInWindowMs);
  return spendSilently(ctx, placeBudgets(ctx.ip, budget));
};

/** A budget of which no one is told. */
const silent = (key: string, most: number, windowMs: number): AttemptBudget => ({
  key,
  most,
  windowMs,
  message: () => errorTexts.RATE_LIMITED,
});

/** Counts one call against every budget; false, and nothing is counted, when one of them is used up. */
const spendSilently = async (ctx: Context, budgets: AttemptBudget[]): Promise<boolean> => {
  try {
    await ctx.attempts.spend(budgets);
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "RATE_LIMITED")) throw error;
    noteActivity(ctx, {
      type: "suspicious_activity",
      action: "Asked for too many emails",
      description: "No more are sent for a while; the response doesn't say so",
      status: "failure",
      severity: "high",
    });
    return false;
  }
};
