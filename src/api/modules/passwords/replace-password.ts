import { accountLink, linkedProviders, providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import type { UserRow } from "#api/db/user-rows.ts";
import { passwordChangedMail, resetPasswordMail } from "#api/modules/mail/index.ts";
import { endSessionsOf, forgetDevices } from "#api/modules/sessions/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { type RemovedWay, removedSentence } from "#contract/users.ts";
import { forgetSignInFailures, removeResetTokens, replaceResetToken, savePasswordHash } from "./store.ts";

/**
 * Whose password becomes another one. The session and the device with the hashes that are given stay. `mailboxProvedAt` is
 * given where an emailed link was followed; `removed` are the ways into the account that went before.
 */
type PasswordReplacement = {
  user: Pick<UserRow, "id" | "name" | "email" | "emailKey">;
  passwordHash: string;
  mailboxProvedAt?: Date;
  removed?: readonly RemovedWay[];
  keptSession?: string | null;
  keptDevice?: string | null;
};

/**
 * Gives a user a new password in the caller's transaction: sessions end, known browsers are forgotten, reset links and
 * the row of wrong passwords end, and a notice that names linked providers and removed ways in goes to the stored address.
 * After the commit publish `sessions-ended` and call `ctx.mail.wake`.
 */
export const replacePassword = async (
  ctx: Context,
  tx: Database,
  { user, keptSession = null, keptDevice = null, removed = [], ...change }: PasswordReplacement,
): Promise<void> => {
  const now = ctx.clock.now();
  const { passwordHash, mailboxProvedAt } = change;
  const stored = await savePasswordHash(tx, user.id, { passwordHash, mailboxProvedAt, now });
  await endSessionsOf(tx, user.id, { except: keptSession });
  await forgetDevices(tx, user.id, { except: keptDevice });
  await removeResetTokens(tx, user.id);
  await forgetSignInFailures(tx, user.emailKey);
  const notice = {
    name: user.name,
    resetLink: forgotPasswordLink(ctx),
    removed: removed.length === 0 ? null : removedSentence(removed, now.getTime()),
    // As of now: one may have been linked since the user was read.
    linked: linkedProviders(stored).map((provider) => providerLabel(ctx, provider)),
    accountLink: accountLink(ctx),
    ...circumstancesOf(ctx),
  };
  await ctx.mail.enqueue(tx, { to: user.email, ...passwordChangedMail(notice) });
};

// Waiting does not help here, but a client that only knows how to wait must not ask often.
const retryAfterS = 60 * 60;

/** The refusal of a password when its address has had too many wrong ones in a row: only a reset helps. */
export const noTriesLeft = (): AppError =>
  new AppError("RATE_LIMITED", authTexts.signInNeedsReset, { retryAfterS });

/**
 * Emails a user a link to a new password, to the stored address, in the words of `letter`; older links end. Nothing happens for one
 * who is disabled or gone. Call `ctx.mail.wake` after the commit.
 */
export const mailResetLink = async (
  ctx: Context,
  tx: Database,
  { id, name, email }: Pick<UserRow, "id" | "name" | "email">,
  letter: typeof resetPasswordMail = resetPasswordMail,
): Promise<void> => {
  const token = newToken(limits.mailedTokenBytes);
  if (!(await replaceResetToken(tx, id, hashToken(token), ctx.clock.now()))) return;
  const link = resetPasswordLink(ctx, token);
  await ctx.mail.enqueue(tx, { to: email, link, ...letter({ name, link }) });
};

/** The page that uses a reset token up. Its origin comes from the configuration alone, never from a request. */
const resetPasswordLink = (ctx: Context, token: string): string =>
  `${ctx.appUrl}/reset-password?token=${token}`;

/** The page that asks for such a link. */
export const forgotPasswordLink = (ctx: Context): string => `${ctx.appUrl}/forgot-password`;
