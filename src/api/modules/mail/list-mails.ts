import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { mailTexts } from "#contract/mail.ts";
import { findMail, selectMails } from "./admin-store.ts";
import type { ListMailsInput, MailList } from "./contract.ts";
import { isMailId } from "./mail-id.ts";

/**
 * Mails whose recipient or subject holds `search`, newest first, behind the one with the id `before`. For admins and the
 * operator. Throws `VALIDATION_FAILED` when that one is not there any more.
 */
export const listMails = async (ctx: Context, input: ListMailsInput): Promise<MailList> => {
  requireAdmin(ctx);
  const { limit, status, before = null } = input;
  if (before !== null && !(isMailId(before) && (await findMail(ctx.db, before))))
    throw validationError([{ path: "before", message: mailTexts.beforeGone }]);
  const filter = { search: input.search.trim(), ...(status === undefined ? {} : { status }) };
  const { total, totalIsEstimate, ...page } = await selectMails(ctx.db, { ...filter, limit, before });
  return { ...page, pagination: { total, totalIsEstimate, limit } };
};
