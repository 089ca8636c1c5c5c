import { noteActivity } from "#api/core/activity.ts";
import { providerLabel } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { atLeast } from "#api/core/timing.ts";
import { removeOldCeremonies, wantPassword } from "#api/modules/passkeys/index.ts";
import {
  findResetOwner,
  mailResetLink,
  removeOldSignInFailures,
  removeWaysIn,
  replacePassword,
  selectWaysIn,
  takeResetToken,
} from "#api/modules/passwords/index.ts";
import {
  insertDevice,
  removeOldDevices,
  removeSurplusDevices,
  removeSurplusSessions,
} from "#api/modules/sessions/index.ts";
import { findUserByEmailKey } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { type RemovedWay, removedSentence } from "#contract/users.ts";
import type { ForgotPasswordInput, ResetDone, ResetLink, ResetPasswordInput } from "./contract.ts";
import { mayMail, spendMailRequest } from "./mail-limits.ts";
import { removeExpiredStates } from "./provider-store.ts";
import { clearSignInBudgets } from "./sign-in.ts";
import { removeExpired } from "./store.ts";

// No answer comes sooner: several times what the statements take, so that their number does not show.
const answerMs = 40;

/**
 * Emails the owner of a verified account a link to a new password, whether or not they have one; older links end. Where
 * there is no one to email, or they may not be emailed now, or the place has asked too often, the answer is the same and as
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
  // A turn of its own: whoever asks for verification links in a stranger's name does not keep this email away.
  if (await mayMail(ctx, tx, { at: ctx.clock.now(), turn: `reset:${key}`, request: "forgot", key }))
    await mailResetLink(ctx, tx, user);
};

/**
 * What the page of an emailed link shows before anything is typed: the ways into the account. Changes nothing. Throws
 * `TOKEN_INVALID` for a link that {@link resetPassword} would refuse.
 */
export const checkResetLink = async (ctx: Context, input: { token: string }): Promise<ResetLink> => {
  const now = ctx.clock.now();
  const user = await findResetOwner(ctx.db, hashToken(input.token), now);
  if (!user) throw resetInvalid();
  return { waysIn: await waysInOf(ctx, ctx.db, user.id) };
};

const waysInOf = (ctx: Context, db: Database, userId: string) =>
  selectWaysIn(db, { userId, now: ctx.clock.now(), labelOf: (provider) => providerLabel(ctx, provider) });

/**
 * Gives the owner of an emailed link a new password, once; see {@link replacePassword} for what ends with the old one. Ways
 * into the account that were added since the mailbox was last proved go too, but for those whose ids are in `keep`.
 * Passkeys go only where an older second factor stays. Those that stay sign in on their own only after they were given
 * together with the new password.
 * Sign-in is open again whatever was guessed before. Throws `TOKEN_INVALID` for a link that is unknown, used, expired,
 * superseded or a disabled user's, and a 422 for a weak password, which leaves the link good. Signs no one in; the
 * caller sets the device cookie from `deviceToken`, so that guesses of others at the owner's place do not keep them out.
 */
export const resetPassword = async (
  ctx: Context,
  input: ResetPasswordInput,
): Promise<{ message: string; data: ResetDone; deviceToken: string }> => {
  const tokenHash = hashToken(input.token);
  // Strangers with a wrong link get no hash computed for them.
  const user = await findResetOwner(ctx.db, tokenHash, ctx.clock.now());
  if (!user) throw resetInvalid();
  await checkNewPassword(ctx, input.password, user);
  const passwordHash = await ctx.hasher.hash(input.password);
  const deviceToken = newToken(limits.sessionTokenBytes);
  const now = ctx.clock.now();
  const removed = await ctx.db.transaction(async (tx) => {
    if (!(await takeResetToken(tx, user.id, tokenHash, now))) throw resetInvalid();
    const kept = new Set(input.keep);
    const ways = await waysInOf(ctx, tx, user.id);
    const gone = ways.filter(({ id, isRemovable }) => isRemovable && !kept.has(id));
    await removeWaysIn(tx, gone, now);
    await wantPassword(tx, user.id);
    await replacePassword(ctx, tx, { user, passwordHash, mailboxProvedAt: now, removed: gone });
    // Whoever opened the email is the owner: this browser is one of theirs from now on.
    await insertDevice(tx, { tokenHash: hashToken(deviceToken), userId: user.id, now });
    return gone.map(({ id, kind, label, since }): RemovedWay => ({ id, kind, label, since }));
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  if (removed.length > 0) ctx.events.publish({ type: "user-changed", userId: user.id });
  for (const { kind, id } of removed)
    if (kind === "token") ctx.events.publish({ type: "token-changed", tokenId: id });
  noteActivity(ctx, {
    type: "api_call",
    action: "Chose a new password with an emailed link",
    ...(removed.length === 0 ? {} : { description: removedSentence(removed, now.getTime()) }),
    severity: "medium",
    userEmail: user.email,
  });
  ctx.mail.wake();
  await clearSignInBudgets(ctx, user.emailKey);
  return { message: authTexts.resetDone, data: { email: user.email, removed }, deviceToken };
};

const resetInvalid = () => new AppError("TOKEN_INVALID", authTexts.resetInvalid);

/**
 * Removes sessions, registrations, tokens, email turns, states of social sign-ins and challenges for passkeys that have ended, browsers that no one
 * signed in with for a year, and wrong passwords of addresses without an account that are a month old. Of what still
 * counts only sessions and browsers are touched: each user keeps the hundred last used.
 */
export const sweepExpired = async ({ db, clock, events }: Services): Promise<void> => {
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await removeExpired(db, now);
  await removeExpiredStates(db, now);
  await removeOldCeremonies(db, now);
  await removeOldDevices(db, ago(limits.deviceMs));
  await removeSurplusDevices(db);
  for (const userId of await removeSurplusSessions(db)) events.publish({ type: "sessions-ended", userId });
  await removeOldSignInFailures(db, ago(limits.signInFailuresKeptMs));
};
