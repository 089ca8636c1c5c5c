import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/db/database.ts";
import { limits } from "#contract/limits.ts";
import { silent, spendSilently } from "./spend-mail-request.ts";
import { takeMailTurn } from "./store.ts";

/** What anybody can have an address mailed by, each counted on its own. */
type MailRequest = "forgot" | "resend" | "register";

/**
 * Whether an address may be mailed on a stranger's request now: once a minute, ten times an hour and thirty times a day.
 * Takes the turn of the name `turn`, which others wait for until the transaction ends. The answer must not tell.
 */
export const mayMail = async (
  ctx: Context,
  tx: Database,
  { turn, request, key }: { turn: string; request: MailRequest; key: string },
): Promise<boolean> => {
  if (!(await takeMailTurn(tx, turn, ctx.clock.now()))) return false;
  const budget = `mail-to:${request}:${key}`;
  return spendSilently(ctx, [
    silent(`${budget} in an hour`, limits.mailsByAddressInAnHour, 60 * 60 * 1000),
    silent(`${budget} in a day`, limits.mailsByAddressInADay, 24 * 60 * 60 * 1000),
  ]);
};
