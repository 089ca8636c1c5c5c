import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { mailTexts } from "#contract/mail.ts";
import { holdMail, makeDue } from "./admin-store.ts";
import { mailId, unknownMail } from "./mail-id.ts";
import { mailInLog } from "./mail-in-log.ts";

/**
 * Makes a mail that waits or was given up due at once. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for
 * a mail that has left or whose text is gone.
 */
export const retryMail = async (ctx: Context, { id }: { id: string }) => {
  const act = { type: "admin_action", action: "Tried a mail again", described: mailInLog } as const;
  const data = await adminAction(ctx, act, async (tx) => {
    const now = ctx.clock.now();
    const mail = await holdMail(tx, mailId(id), now);
    if (mail === null) throw unknownMail();
    if (mail.status === "sent") throw new AppError("CONFLICT", mailTexts.alreadySent);
    if (!mail.canRetry) throw new AppError("CONFLICT", mailTexts.discardedBefore);
    return makeDue(tx, mail.id, now);
  });
  ctx.outbox.hurry();
  return { message: mailTexts.retried, data };
};
