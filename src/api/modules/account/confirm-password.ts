import { noteActivity } from "#api/core/activity.ts";
import { requireUser } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { noTriesLeft, returnSignInTry, takeSignInTry } from "#api/modules/passwords/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { accountTexts, tooManyPasswords } from "#contract/account-texts.ts";
import { limits } from "#contract/limits.ts";

/** Whose password is asked for, its hash, what was typed, and into which field. */
export type PasswordProof = { userId: string; passwordHash: string; password: string; field: string };

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
