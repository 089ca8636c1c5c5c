import { placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { limits } from "#contract/limits.ts";
import { silent, spendSilently } from "./spend-mail-request.ts";
import { returnMailTurn, takeMailTurn } from "./store.ts";

/** What anybody can have an address mailed by, each counted on its own. */
type MailRequest = "forgot" | "resend" | "register";

/** `isRegistrant`: the browser that asks has registered this very address. */
type Asked = { turn: string; request: MailRequest; key: string; isRegistrant?: boolean };

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Whether an address may be mailed on a stranger's request now: once a minute, ten times an hour and thirty times a day.
 * Takes the turn of the name `turn`, which others wait for until the transaction ends, and gives it back when the address
 * may not be mailed. The answer must not tell.
 */
export const mayMail = async (ctx: Context, tx: Database, asked: Asked): Promise<boolean> => {
  if (!(await takeMailTurn(tx, asked.turn, ctx.clock.now()))) return false;
  if (await spendSilently(ctx, budgetsOf(ctx, asked))) return true;
  await returnMailTurn(tx, asked.turn);
  return false;
};

/**
 * One network can't use up an address's emails, and of its links that are sent again the last ten a day are kept for a
 * browser that registered it: a stranger must not spend the owner's turns.
 */
const budgetsOf = (ctx: Context, { request, key, isRegistrant = false }: Asked): AttemptBudget[] => {
  const budget = `mail-to:${request}:${key}`;
  const all = limits.mailsByAddressInADay;
  const shared = all - limits.mailsKeptForRegistrants;
  return [
    silent(`${budget} in an hour`, limits.mailsByAddressInAnHour, hourMs),
    silent(`${budget} in a day`, request === "resend" && !isRegistrant ? shared : all, dayMs),
    ...placeBudgets(
      ctx.ip,
      silent(`${budget} in an hour from `, limits.mailsByAddressAndNetworkInAnHour, hourMs),
    ),
    ...placeBudgets(ctx.ip, silent(`${budget} in a day from `, shared, dayMs)),
  ];
};
