import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import type { UserRow } from "#api/db/user-rows.ts";
import { resetPasswordMail } from "#api/modules/mail/index.ts";
import { limits } from "#contract/limits.ts";
import { replaceResetToken } from "./store.ts";

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

/** The page that uses a reset token up. Its origin comes from the configuration alone, never from a request. */
const resetPasswordLink = (ctx: Context, token: string): string =>
  `${ctx.appUrl}/reset-password?token=${token}`;

/** The page that asks for such a link. */
export const forgotPasswordLink = (ctx: Context): string => `${ctx.appUrl}/forgot-password`;
