import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { hashToken, newToken } from "#api/core/tokens.ts";
import { findResetOwner, replacePassword, takeResetToken } from "#api/modules/passwords/index.ts";
import { insertDevice } from "#api/modules/sessions/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { ResetDoneAnswer, ResetLinkAnswer, ResetPasswordInput } from "./model.ts";
import { clearSignInBudgets } from "./sign-in-limits.ts";

/**
 * What the page of a mailed link shows before anything is typed. Changes nothing. Throws `TOKEN_INVALID` for a link that
 * {@link resetPassword} would refuse.
 */
export const checkResetLink = async (ctx: Context, input: { token: string }): Promise<ResetLinkAnswer> => {
  if (!(await findResetOwner(ctx.db, hashToken(input.token), ctx.clock.now()))) throw resetInvalid();
  return { success: true, data: {} };
};

/**
 * Gives the owner of a mailed link a new password, once; see {@link replacePassword} for what ends with the old one.
 * Sign-in is open again whatever was guessed before. Throws `TOKEN_INVALID` for a link that is unknown, used, expired,
 * superseded or a disabled user's, and a 422 for a weak password, which leaves the link good. Signs nobody in; the
 * caller sets the device cookie from `deviceToken`, so that guesses of others at the owner's place do not keep them out.
 */
export const resetPassword = async (
  ctx: Context,
  input: ResetPasswordInput & { token: string },
): Promise<{ answer: ResetDoneAnswer; deviceToken: string }> => {
  const tokenHash = hashToken(input.token);
  // Strangers with a wrong link get no hash computed for them.
  const user = await findResetOwner(ctx.db, tokenHash, ctx.clock.now());
  if (!user) throw resetInvalid();
  await checkNewPassword(input.password, user);
  const passwordHash = await ctx.hasher.hash(input.password);
  const deviceToken = newToken(limits.sessionTokenBytes);
  await ctx.db.transaction(async (tx) => {
    if (!(await takeResetToken(tx, user.id, tokenHash, ctx.clock.now()))) throw resetInvalid();
    await replacePassword(ctx, tx, { user, passwordHash });
    // Whoever opened the mail is the owner: this browser is one of theirs from now on.
    await insertDevice(tx, { tokenHash: hashToken(deviceToken), userId: user.id, now: ctx.clock.now() });
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  noteActivity(ctx, {
    type: "api_call",
    action: "Chose a new password by a mailed link",
    severity: "medium",
    userEmail: user.email,
  });
  ctx.mail.wake();
  await clearSignInBudgets(ctx, user.emailKey);
  const answer = { success: true as const, message: authTexts.resetDone, data: { email: user.email } };
  return { answer, deviceToken };
};

const resetInvalid = () => new AppError("TOKEN_INVALID", authTexts.resetInvalid);
