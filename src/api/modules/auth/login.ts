import { AppError } from "#api/core/app-error.ts";
import type { AttemptBudget, Context } from "#api/core/context.ts";
import { networkOf } from "#api/core/network-of.ts";
import { hashToken } from "#api/core/tokens.ts";
import { toUser, type UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { tooManyAttempts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import type { User } from "#contract/users.ts";
import { beginSession } from "./begin-session.ts";
import type { LoginInput } from "./model.ts";
import { findCredentials, holdUser, removeSession, updatePasswordHash } from "./store.ts";

/** A sign-in; `presentedToken` is the session token that the browser came with, if any. */
export type LoginAttempt = LoginInput & { presentedToken?: string | null };

/**
 * Signs a user in: a new session begins and the browser's older one ends. Unknown addresses, wrong passwords and
 * disabled accounts all get `INVALID_CREDENTIALS` after the same work; `EMAIL_NOT_VERIFIED` comes only after the right
 * password of the newest registration; `RATE_LIMITED` after too many wrong ones. The caller sets the cookie from `token`.
 */
export const login = (ctx: Context, input: LoginAttempt): Promise<{ user: User; token: string }> =>
  ctx.attempts.run(signInBudgets(ctx, emailKey(input.email)), () => attempt(ctx, input), isWrongPassword);

const attempt = async (ctx: Context, input: LoginAttempt): Promise<{ user: User; token: string }> => {
  const { user, pending } = await findCredentials(ctx.db, emailKey(input.email), ctx.clock.now());
  const passwordHash = user ? user.passwordHash : (pending?.passwordHash ?? null);
  const isRight = await ctx.hasher.verify(input.password, passwordHash);
  if (!isRight || passwordHash === null) throw new AppError("INVALID_CREDENTIALS");
  if (!user?.emailVerifiedAt) throw new AppError("EMAIL_NOT_VERIFIED");
  const newHash = ctx.hasher.isOutdated(passwordHash) ? await ctx.hasher.hash(input.password) : passwordHash;
  return signIn(ctx, { user, passwordHash, newHash, presentedToken: input.presentedToken ?? null });
};

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "INVALID_CREDENTIALS";

/** Failures of one account from one place, of one account from anywhere, and of one place on any account. */
const signInBudgets = (ctx: Context, key: string): AttemptBudget[] => {
  const place = networkOf(ctx.ip);
  const budget = (name: string, most: number): AttemptBudget => ({
    key: `sign-in:${name}`,
    most,
    windowMs: limits.signInWindowMs,
    message: tooManyAttempts,
  });
  return [
    budget(`${key} ${place}`, limits.signInFailuresByAddressAndIp),
    budget(key, limits.signInFailuresByAddress),
    budget(place, limits.signInFailuresByIp),
  ];
};

type SignIn = { user: UserRow; passwordHash: string; newHash: string; presentedToken: string | null };

const signIn = async (ctx: Context, { user, passwordHash, newHash, presentedToken }: SignIn) => {
  const { token, endedUserId } = await ctx.db.transaction(async (tx) => {
    if (!(await holdUser(tx, user.id, passwordHash))) throw new AppError("INVALID_CREDENTIALS");
    if (newHash !== passwordHash) await updatePasswordHash(tx, user.id, newHash);
    const ended = presentedToken === null ? null : await removeSession(tx, hashToken(presentedToken));
    return { token: await beginSession(ctx, tx, user.id), endedUserId: ended };
  });
  if (endedUserId !== null) ctx.events.publish({ type: "sessions-ended", userId: endedUserId });
  return { user: toUser(user), token };
};
