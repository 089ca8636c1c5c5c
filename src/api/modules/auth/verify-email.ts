import { noteActivity } from "#api/core/activity.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { replaceResetToken } from "#api/modules/passwords/index.ts";
import { insertUser } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { VerifiedAnswer, VerifyInput } from "./model.ts";
import { findByVerificationToken, findPendingOfBrowser, takePending } from "./store.ts";

/** A link that was followed, and the cookie `pending` that the browser came with, if any. */
export type Verification = VerifyInput & { token: string; browserToken?: string | null };

/**
 * Makes the user whose address a mailed link proves. Name and password are those that came along (`isChosen`), else, unless
 * the settings say that they are always chosen, those of the registration that this very browser made: a link proves the address and nothing else, and whoever registered it
 * elsewhere may be a stranger. Then all registrations and links of the address end. Throws `PASSWORD_WANTED`, which leaves
 * the link good, where there is neither; a 422 for a weak password; `TOKEN_INVALID` for a token that is unknown, used or
 * expired, and when the address got an account in the meantime. Signs nobody in. Where the browser had registered, the
 * answer has a token that sets another password for an hour: it may be a shared one, and the registration a stranger's.
 */
export const verifyEmail = async (
  ctx: Context,
  input: Verification,
): Promise<{ answer: VerifiedAnswer; isChosen: boolean }> => {
  const tokenHash = hashToken(input.token);
  const mailed = await findByVerificationToken(ctx.db, tokenHash, ctx.clock.now());
  if (!mailed) throw tokenInvalid();
  const chosen = await readChosen(ctx, input, mailed.email);
  const applicant = chosen ?? (await findOwn(ctx, input.browserToken ?? null, mailed.email));
  if (!applicant) {
    // Another use of the link may have ended all registrations of the address after it was found.
    if (!(await findByVerificationToken(ctx.db, tokenHash, ctx.clock.now()))) throw tokenInvalid();
    throw new AppError("PASSWORD_WANTED", undefined, { data: { email: mailed.email } });
  }
  const { name, email, passwordHash } = applicant;
  const resetToken = chosen === null ? newToken(limits.mailedTokenBytes) : null;
  const user = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    if (!(await takePending(tx, tokenHash, now))) throw tokenInvalid();
    const made = await insertUser(tx, {
      id: newId(),
      name,
      email,
      passwordHash,
      role: "user",
      mailboxProvedAt: now,
      now,
    });
    if (made && resetToken) await replaceResetToken(tx, made.id, hashToken(resetToken), now);
    return made;
  });
  // Thrown after the commit: registrations of an address that has its account are of no more use.
  if (user === null) throw tokenInvalid();
  noteActivity(ctx, {
    type: "api_call",
    action: "Verified an address by a mailed link",
    userEmail: user.email,
  });
  ctx.happenings.tell({ name: "user.registered", userId: user.id });
  const message = chosen === null ? authTexts.verified : authTexts.accountCreated;
  const data = { name, email, ...(resetToken === null ? {} : { resetToken }) };
  return { answer: { success: true, message, data }, isChosen: chosen !== null };
};

const readChosen = async (ctx: Context, input: VerifyInput, email: string) => {
  if (input.name === undefined && input.password === undefined) return null;
  if (input.name === undefined) throw validationError([{ path: "name", message: authTexts.nameRequired }]);
  if (input.password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  const name = input.name.trim();
  await checkNewPassword(input.password, { name, email });
  return { name, email, passwordHash: await ctx.hasher.hash(input.password) };
};

const findOwn = async (ctx: Context, browserToken: string | null, email: string) => {
  if (browserToken === null || ctx.settings.current.accounts.verification === "always-choose") return null;
  const browserHash = hashToken(browserToken);
  return findPendingOfBrowser(ctx.db, { key: emailKey(email), browserHash, now: ctx.clock.now() });
};

const tokenInvalid = () => new AppError("TOKEN_INVALID", authTexts.verificationInvalid);
