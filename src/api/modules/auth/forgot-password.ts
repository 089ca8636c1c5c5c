import { noteActivity } from "#api/core/activity.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { atLeast } from "#api/core/timing.ts";
import { mailResetLink } from "#api/modules/passwords/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import type { ForgotPasswordInput } from "./contract.ts";
import { mayMail } from "./may-mail.ts";
import { spendMailRequest } from "./spend-mail-request.ts";

// No answer comes sooner: several times what the statements take, so that their number does not show.
const answerMs = 40;

/**
 * Mails the owner of a verified account a link to a new password, whether or not they have one; older links end. Where
 * there is nobody to mail, or they may not be mailed now, or the place has asked too often, the answer is the same and as
 * slow, and older links stay good.
 */
export const forgotPassword = async (
  ctx: Context,
  input: ForgotPasswordInput,
): Promise<{ message: string }> => {
  const key = emailKey(input.email);
  await atLeast(answerMs, async () => {
    if (await spendMailRequest(ctx)) await ctx.db.transaction((tx) => mailOwner(ctx, tx, key));
  });
  noteActivity(ctx, {
    type: "api_call",
    action: "Asked for a link to a new password",
    userEmail: input.email.trim(),
  });
  ctx.mail.wake();
  return { message: authTexts.resetMailSent };
};

const mailOwner = async (ctx: Context, tx: Database, key: string): Promise<void> => {
  const user = await findUserByEmailKey(tx, key);
  if (!user?.emailVerifiedAt || user.disabledAt) return;
  // A turn of its own: whoever asks for verification links in a stranger's name does not keep this mail away.
  if (await mayMail(ctx, tx, { turn: `reset:${key}`, request: "forgot", key }))
    await mailResetLink(ctx, tx, user);
};
