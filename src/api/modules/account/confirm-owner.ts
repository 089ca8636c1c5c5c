import { noteActivity } from "#api/core/activity.ts";
import {
  accountLink,
  factorProofsOf,
  factorWantedText,
  isProven,
  requireSession,
  requireUser,
} from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { confirmationsFailedMail } from "#api/modules/mail/index.ts";
import { noTriesLeft, returnSignInTry, takeSignInTry } from "#api/modules/passwords/index.ts";
import { holdSession } from "#api/modules/sessions/index.ts";
import { holdEnabledUser, selectUsableProviders, type UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { accountTexts, authTexts, tooManyPasswords } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { ConfirmWay, ProofWanted } from "#contract/proof.ts";
import { findAccount } from "./store.ts";

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
  if (passwordHash === null && isProven(ctx.actor, ctx.clock.now())) return;
  if (passwordHash === null) throw await proofWanted(ctx, account);
  if (password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  await confirmPassword(ctx, { userId, passwordHash, password, field: "password" });
};

/** Whose password is asked for, its hash, what was typed, and into which field. */
type PasswordProof = { userId: string; passwordHash: string; password: string; field: string };

/**
 * Lets pass who knows the caller's password. Throws a 422 on the field otherwise, and `RATE_LIMITED` after ten wrong ones
 * within a quarter of an hour, from whatever session: who holds a stolen one must not find the password by trying. They
 * count towards those that the address has in a row, as at sign-in; a right one is not counted and ends no row. See
 * {@link watchConfirmation}, too.
 */
export const confirmPassword = (ctx: Context, proof: PasswordProof): Promise<void> => {
  const budget = {
    key: `password-check:${proof.userId}`,
    most: limits.passwordChecksByUser,
    windowMs: limits.signInWindowMs,
    message: tooManyPasswords,
  };
  return watchConfirmation(ctx, () => ctx.attempts.run([budget], () => check(ctx, proof), isWrongPassword));
};

const wrongProofs: readonly string[] = ["VALIDATION_FAILED", "CODE_INVALID", "PASSKEY_REFUSED"];

/**
 * Runs a confirmation that it's the owner who acts in a session, and counts the failures of the session in a row: whoever has it and
 * can't confirm may have stolen it. The fifth is emailed to the owner and recorded, once until a confirmation succeeds.
 */
export const watchConfirmation = async <T>(ctx: Context, confirm: () => Promise<T>): Promise<T> => {
  const { sessionHash } = requireSession(ctx);
  const [row, told] = [`confirm-row:${sessionHash}`, `confirm-told:${sessionHash}`];
  try {
    const done = await confirm();
    await ctx.attempts.clear([row, told]);
    return done;
  } catch (error) {
    const isWrong = error instanceof AppError && wrongProofs.includes(error.kind);
    if (
      isWrong &&
      !(await isCounted(ctx, row, limits.confirmFailures - 1)) &&
      (await isCounted(ctx, told, 1))
    )
      await tellFailures(ctx);
    throw error;
  }
};

const isCounted = async ({ attempts }: Context, key: string, most: number): Promise<boolean> => {
  const windowMs = limits.confirmFailuresWindowMs;
  try {
    await attempts.spend([{ key, most, windowMs, message: () => "" }]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === "RATE_LIMITED") return false;
    throw error;
  }
};

const tellFailures = async (ctx: Context): Promise<void> => {
  const { name, email } = requireUser(ctx);
  const notice = { name, accountLink: accountLink(ctx), ...circumstancesOf(ctx) };
  await ctx.mail.enqueue(ctx.db, { to: email, ...confirmationsFailedMail(notice) });
  ctx.mail.wake();
  noteActivity(ctx, {
    type: "suspicious_activity",
    action: `Failed ${limits.confirmFailures} times in a row to confirm who they are`,
    status: "failure",
    severity: "high",
  });
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
 * behind which no one sits, always. Throws `REAUTHENTICATION_REQUIRED` where neither is so, a 422 on `password` for a wrong
 * one, and `RATE_LIMITED` after ten.
 */
export const confirmPresence = async (ctx: Context, password: string | undefined): Promise<void> => {
  if (isProven(ctx.actor, ctx.clock.now())) return;
  const account = await findAccount(ctx.db, requireSession(ctx).user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { id: userId, passwordHash } = account;
  // A plan takes no password: to be wrong about it leaves no trace where everything is rolled back.
  if (passwordHash === null || password === undefined || ctx.isDryRun) throw await proofWanted(ctx, account);
  await confirmPassword(ctx, { userId, passwordHash, password, field: "password" });
};

/** The refusal of someone who has to show that they are there, with the ways in which they can. */
export const proofWanted = async (ctx: Context, account: UserRow): Promise<AppError> => {
  const { actor, providers, db } = ctx;
  const usable = await selectUsableProviders(ctx, db, account.id);
  const linked = usable.filter((name) => providers.get(name)?.confirmationUrl);
  const hasPassword = account.passwordHash !== null;
  const factors = factorProofsOf(actor);
  const own: ConfirmWay[] = hasPassword ? [...factors, "password"] : [...factors];
  const without = factors.length > 0 ? factorWantedText(factors) : accountTexts.signInAgain;
  const text = hasPassword ? accountTexts.passwordWanted : without;
  const data: ProofWanted = { wanted: "recent", ways: [...own, ...linked] };
  return new AppError("REAUTHENTICATION_REQUIRED", text, { data });
};

/**
 * Holds the session that acts until the transaction ends. Throws `NOT_SIGNED_IN` when it has ended since it was looked at, as by
 * a new password: what is made in a session must not outlive it unseen. Holds the user's row first.
 */
export const holdPresence = async (ctx: Context, tx: Database): Promise<void> => {
  if (ctx.actor.kind !== "user") return;
  const { user, sessionHash } = ctx.actor;
  const account = await holdEnabledUser(tx, user.id);
  const session = { userId: user.id, tokenHash: sessionHash, now: ctx.clock.now() };
  if (account === null || !(await holdSession(tx, session))) throw new AppError("NOT_SIGNED_IN");
};
