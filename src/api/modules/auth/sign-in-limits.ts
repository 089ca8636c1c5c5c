import { AppError } from "#api/core/app-error.ts";
import { networkOf, placeBudgets } from "#api/core/circumstances.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import { hashToken } from "#api/core/ids.ts";
import { noTriesLeft, returnSignInTry, takeSignInTry } from "#api/modules/passwords/index.ts";
import { returnDeviceTry, takeDeviceTry } from "#api/modules/sessions/index.ts";
import { tooManyAttempts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";

/** A sign-in with a password: for which address, and the token of the browser's device cookie, if any. */
export type LimitedSignIn = { key: string; deviceToken: string | null };

/**
 * Runs the check of a password while wrong ones are left, every limit the same whether or not the address has an
 * account. A browser that its owner signed in with before has wrong passwords of its own, so that strangers who guess
 * do not keep the owner out. Everybody else shares those of address, place and both, and, however long they take, those
 * that an address has in a row. What `check` throws counts when it is a wrong password; when it succeeds it ends the rows
 * itself. Throws `RATE_LIMITED`.
 */
export const limitSignIn = async <T>(
  ctx: Context,
  { key, deviceToken }: LimitedSignIn,
  check: () => Promise<T>,
): Promise<T> => {
  const device = deviceToken === null ? null : hashToken(deviceToken);
  if (device !== null && (await takeDeviceTry(ctx.db, key, device))) {
    return withTryTaken(check, () => returnDeviceTry(ctx.db, device));
  }
  const guarded = async () => {
    if (!(await takeSignInTry(ctx.db, key, ctx.clock.now()))) throw noTriesLeft();
    return withTryTaken(check, () => returnSignInTry(ctx.db, key));
  };
  return ctx.attempts.run(signInBudgets(ctx, key), guarded, isWrongPassword);
};

/** Opens an address, and the place that asks for it, to sign-ins again: its owner has proven who they are. */
export const clearSignInBudgets = (ctx: Context, key: string): Promise<void> =>
  ctx.attempts.clear([signInKey(key), signInKey(`${key} ${networkOf(ctx.ip)}`)]);

/** Taken before the password is looked at, so that no number of parallel calls has more; given back when it was none. */
const withTryTaken = async <T>(check: () => Promise<T>, giveBack: () => Promise<void>): Promise<T> => {
  try {
    return await check();
  } catch (error) {
    if (!isWrongPassword(error)) await giveBack();
    throw error;
  }
};

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "INVALID_CREDENTIALS";

const signInKey = (name: string): string => `sign-in:${name}`;

/** Failures of one account from one place, of one account from anywhere, and of one place on any account. */
const signInBudgets = (ctx: Context, key: string): AttemptBudget[] => {
  const budget = (name: string, most: number): AttemptBudget => ({
    key: signInKey(name),
    most,
    windowMs: limits.signInWindowMs,
    message: tooManyAttempts,
  });
  return [
    budget(`${key} ${networkOf(ctx.ip)}`, limits.signInFailuresByAddressAndIp),
    budget(key, limits.signInFailuresByAddress),
    ...placeBudgets(ctx.ip, budget("", limits.signInFailuresByIp)),
  ];
};
