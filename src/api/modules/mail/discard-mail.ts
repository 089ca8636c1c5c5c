import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { mailTexts } from "#contract/mail.ts";
import { holdMail, wipeMail } from "./admin-store.ts";
import { mailId, unknownMail } from "./mail-id.ts";
import { mailInLog } from "./mail-in-log.ts";

/**
 * Gives a mail up that has not left, for good: its text is wiped. For admins and the operator. Throws `NOT_FOUND`, and
 * `CONFLICT` for a mail that has left, is being sent, or was discarded before.
 */
export const discardMail = async (ctx: Context, { id }: { id: string }) => {
  const act = {
    type: "admin_action",
    action: "Discarded a mail",
    severity: "medium",
    described: mailInLog,
  } as const;
  const data = await adminAction(ctx, act, async (tx) => {
    const mail = await holdMail(tx, mailId(id), ctx.clock.now());
    if (mail === null) throw unknownMail();
    if (mail.status === "sent") throw new AppError("CONFLICT", mailTexts.alreadySent);
    if (mail.isUnderWay) throw new AppError("CONFLICT", mailTexts.beingSent);
    if (!mail.canRetry) throw new AppError("CONFLICT", mailTexts.discardedBefore);
    return wipeMail(tx, mail.id, mailTexts.discardedBy);
  });
  return { message: mailTexts.discarded, data };
};
