import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { resetPasswordMail } from "#api/modules/mail/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";
import { resetPasswordLink } from "./password-links.ts";
import { replaceResetToken } from "./reset-store.ts";

/**
 * Mails a user a link to a new password, to the stored address; older links end. Nothing happens for one who is disabled
 * or gone. Call `ctx.mail.wake` after the commit.
 */
export const mailResetLink = async (
  ctx: Context,
  tx: Database,
  { id, name, email }: Pick<UserRow, "id" | "name" | "email">,
): Promise<void> => {
  const token = newToken(limits.mailedTokenBytes);
  if (!(await replaceResetToken(tx, id, hashToken(token), ctx.clock.now()))) return;
  const link = resetPasswordLink(ctx, token);
  await ctx.mail.enqueue(tx, { to: email, link, ...resetPasswordMail({ name, link }) });
};
