import { adminAction } from "#api/core/admin-action.ts";
import type { Context } from "#api/core/context.ts";
import { mailTexts } from "#contract/mail.ts";
import { makeAllDue } from "./admin-store.ts";

/** Makes every mail that was given up, and not discarded, due at once. For admins and the operator. */
export const retryDeadMails = async (ctx: Context) => {
  const act = {
    type: "admin_action",
    action: "Tried all mails again that had been given up",
    described: (retried: number) =>
      retried === 0 ? null : { description: `${retried} ${retried === 1 ? "mail" : "mails"}` },
  } as const;
  const retried = await adminAction(ctx, act, (tx) => makeAllDue(tx, ctx.clock.now()));
  ctx.outbox.hurry();
  return { message: mailTexts.retriedAll(retried), data: { retried } };
};
