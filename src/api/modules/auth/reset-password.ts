import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { hashToken } from "#api/core/tokens.ts";
import { findResetOwner, replacePassword, takeResetToken } from "#api/modules/passwords/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { MessageAnswer, ResetPasswordInput } from "./model.ts";
import { clearSignInBudgets } from "./sign-in-limits.ts";

/**
 * Gives the owner of a mailed link a new password, once; see {@link replacePassword} for what ends with the old one.
 * Sign-in is open again whatever was guessed before. Throws `TOKEN_INVALID` for a link that is unknown, used, expired,
 * superseded or a disabled user's, and a 422 for a weak password, which leaves the link good. Signs nobody in.
 */
export const resetPassword = async (
  ctx: Context,
  input: ResetPasswordInput & { token: string },
): Promise<MessageAnswer> => {
  const tokenHash = hashToken(input.token);
  // Strangers with a wrong link get no hash computed for them.
  const user = await findResetOwner(ctx.db, tokenHash, ctx.clock.now());
  if (!user) throw resetInvalid();
  await checkNewPassword(input.password, user);
  const passwordHash = await ctx.hasher.hash(input.password);
  await ctx.db.transaction(async (tx) => {
    if (!(await takeResetToken(tx, user.id, tokenHash, ctx.clock.now()))) throw resetInvalid();
    await replacePassword(ctx, tx, { user, passwordHash });
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  ctx.mail.wake();
  await clearSignInBudgets(ctx, user.emailKey);
  return { success: true, message: authTexts.resetDone };
};

const resetInvalid = () => new AppError("TOKEN_INVALID", authTexts.resetInvalid);
