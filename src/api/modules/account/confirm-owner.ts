import { noteActivity } from "#api/core/activity.ts";
import { isProven, requireSession, requireUser } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import {
  noTriesLeft,
  replacePassword,
  returnSignInTry,
  takeSignInTry,
} from "#api/modules/passwords/index.ts";
import { beginSession, endSession, holdSession } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { accountTexts, authTexts, tooManyPasswords } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { ConfirmWay } from "#contract/proof.ts";
import { providerIdFields, providerNames } from "#contract/users.ts";
import type { ChangePasswordInput } from "./contract.ts";
import { findAccount, holdAccount } from "./store.ts";

/**
 * Lets pass who owns the caller's account and does not merely hold a session of it. Throws a 422 on `password` for a
 * missing or wrong one (`RATE_LIMITED` after ten), and `REAUTHENTICATION_REQUIRED` where the account has none and the
 * session is older than ten minutes.
 */
export const confirmOwner = async (
  ctx: Context,
  account: UserRow,
  password: string | undefined,
): Promise<void> => {
  const { id: userId, passwordHash } = account;
  if (passwordHash === null && isProven(ctx)) return;
  if (passwordHash === null) throw proofWanted(ctx, account);
  if (password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  await confirmPassword(ctx, { userId, passwordHash, password, field: "password" });
};

/** Whose password is asked for, its hash, what was typed, and into which field. */
type PasswordProof = { userId: string; passwordHash: string; password: string; field: string };

/**
 * Lets pass who knows the caller's password. Throws a 422 on the field otherwise, and `RATE_LIMITED` after ten wrong ones
 * within a quarter of an hour, from whatever session: who holds a stolen one must not find the password by trying. They
 * count towards those that the address has in a row, as at sign-in; a right one is not counted and ends no row.
 */
export const confirmPassword = (ctx: Context, proof: PasswordProof): Promise<void> => {
  const budget = {
    key: `password-check:${proof.userId}`,
    most: limits.passwordChecksByUser,
    windowMs: limits.signInWindowMs,
    message: tooManyPasswords,
  };
  return ctx.attempts.run([budget], () => check(ctx, proof), isWrongPassword);
};

const check = async (ctx: Context, { passwordHash, password, field }: PasswordProof): Promise<void> => {
  const key = emailKey(requireUser(ctx).email);
  if (!(await takeSignInTry(ctx.db, key, ctx.clock.now()))) throw noTriesLeft();
  let isWrong = false;
  try {
    isWrong = !(await ctx.hasher.verify(password, passwordHash));
  } finally {
    if (!isWrong) await returnSignInTry(ctx.db, key);
  }
  if (!isWrong) return;
  noteActivity(ctx, {
    type: "suspicious_activity",
    action: "Confirmed a change with a wrong password",
    status: "failure",
    severity: "medium",
  });
  throw validationError([{ path: field, message: accountTexts.passwordWrong }]);
};

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "VALIDATION_FAILED";

/**
 * Lets pass who has signed in or confirmed it within the last minutes, or gives their password; the operator and API tokens,
 * behind which nobody sits, always. Throws `REAUTHENTICATION_REQUIRED` where neither is so, a 422 on `password` for a wrong
 * one, and `RATE_LIMITED` after ten.
 */
export const confirmPresence = async (ctx: Context, password: string | undefined): Promise<void> => {
  if (isProven(ctx)) return;
  const account = await findAccount(ctx.db, requireSession(ctx).user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { id: userId, passwordHash } = account;
  // A plan takes no password: to be wrong about it leaves no trace where everything is rolled back.
  if (passwordHash === null || password === undefined || ctx.isDryRun) throw proofWanted(ctx, account);
  await confirmPassword(ctx, { userId, passwordHash, password, field: "password" });
};

/** The refusal of somebody who has to show that they are there, with the ways in which they can. */
export const proofWanted = ({ providers }: Pick<Context, "providers">, account: UserRow): AppError => {
  const linked = providerNames.filter(
    (name) => providers[name] !== null && account[providerIdFields[name]] !== null,
  );
  const hasPassword = account.passwordHash !== null;
  const ways: ConfirmWay[] = [...(hasPassword ? (["password"] as const) : []), ...linked];
  const text = hasPassword ? accountTexts.passwordWanted : accountTexts.signInAgain;
  return new AppError("REAUTHENTICATION_REQUIRED", text, { data: { wanted: "recent", ways } });
};

/**
 * Holds the session that acts until the transaction ends. Throws `NOT_SIGNED_IN` when it has ended since it was looked at, as by
 * a new password: what is made in a session must not outlive it unseen. Holds the user's row first.
 */
export const holdPresence = async (ctx: Context, tx: Database): Promise<void> => {
  if (ctx.actor.kind !== "user") return;
  const { user, sessionHash } = ctx.actor;
  const account = await holdAccount(tx, user.id);
  const session = { userId: user.id, tokenHash: sessionHash, now: ctx.clock.now() };
  if (account === null || !(await holdSession(tx, session))) throw new AppError("NOT_SIGNED_IN");
};

/** A change of password; `deviceToken` is the token of the browser's known-device cookie, if any. */
type PasswordChange = ChangePasswordInput & { deviceToken: string | null };

/**
 * Changes the caller's password and resolves to the token of the session that takes the place of all others, the
 * caller's included. Other browsers are unknown again, open links to a new password end, and a mail tells. Throws a
 * 422 for a wrong current password (`RATE_LIMITED` after ten) and for a new one that will not do; `CONFLICT` for an
 * account without a password, and when the password was changed meanwhile: of many calls at once one succeeds.
 */
export const changePassword = async (ctx: Context, input: PasswordChange): Promise<string> => {
  const { user } = requireSession(ctx);
  const { currentPassword, newPassword } = input;
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { passwordHash } = account;
  if (passwordHash === null) throw new AppError("CONFLICT", accountTexts.passwordAbsent);
  const proof = { userId: user.id, passwordHash, password: currentPassword, field: "currentPassword" };
  await confirmPassword(ctx, proof);
  if (newPassword === currentPassword) throw samePassword();
  await checkNewPassword(newPassword, { ...account, field: "newPassword" });
  const newHash = await ctx.hasher.hash(newPassword);
  const token = await ctx.db.transaction((tx) => replace(ctx, tx, { account, newHash, ...input }));
  ctx.mail.wake();
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return token;
};

const samePassword = () => validationError([{ path: "newPassword", message: accountTexts.passwordSame }]);

type Replacement = { account: UserRow; newHash: string; deviceToken: string | null };

const replace = async (ctx: Context, tx: Database, replacement: Replacement): Promise<string> => {
  const { account, newHash, deviceToken } = replacement;
  const held = await holdAccount(tx, account.id);
  if (!held) throw new AppError("NOT_SIGNED_IN");
  if (held.passwordHash !== account.passwordHash)
    throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
  // A session that was ended while the hashes were computed must not bring forth another.
  const own = await endSession(tx, requireSession(ctx).sessionHash);
  if (own === null) throw new AppError("NOT_SIGNED_IN");
  const keptDevice = deviceToken === null ? null : hashToken(deviceToken);
  await replacePassword(ctx, tx, { user: held, passwordHash: newHash, keptDevice });
  return beginSession(ctx, tx, held.id);
};
