import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { emailKey } from "#contract/account-rules.ts";
import { completeSignIn, type SignedIn } from "./complete-sign-in.ts";
import type { LoginInput } from "./model.ts";
import { noteRefusedSignIn, noteSignIn } from "./note-sign-in.ts";
import { limitSignIn } from "./sign-in-limits.ts";
import { admitUser, findCredentials, updatePasswordHash } from "./store.ts";

/** A sign-in, and the tokens of session and known device that the browser came with, if any. */
export type LoginAttempt = LoginInput & { presentedToken?: string | null; presentedDevice?: string | null };

/**
 * Signs a user in: see {@link completeSignIn}. Unknown addresses, wrong passwords and disabled accounts all get
 * `INVALID_CREDENTIALS` after the same work; `EMAIL_NOT_VERIFIED` comes only after the right password of the newest
 * registration of the last day, also where the address has an account, so that registering it and signing in does not tell
 * whether it has; `RATE_LIMITED` after too many wrong ones.
 */
export const login = async (ctx: Context, input: LoginAttempt): Promise<SignedIn> => {
  const key = emailKey(input.email);
  const deviceToken = input.presentedDevice ?? null;
  try {
    const signedIn = await limitSignIn(ctx, { key, deviceToken }, () => attempt(ctx, input, key));
    noteSignIn(ctx, { user: signedIn.user, way: "a password" });
    return signedIn;
  } catch (error) {
    noteRefusedSignIn(ctx, { email: input.email, error });
    throw error;
  }
};

const attempt = async (ctx: Context, input: LoginAttempt, key: string): Promise<SignedIn> => {
  const { user, registration } = await findCredentials(ctx.db, key, ctx.clock.now());
  const passwordHash = user?.passwordHash ?? null;
  const isRight = await ctx.hasher.verify(input.password, passwordHash);
  if (!isRight || user === null || passwordHash === null || user.disabledAt !== null) {
    const isOfRegistration = await ctx.hasher.verify(input.password, registration?.passwordHash ?? null);
    throw new AppError(isOfRegistration ? "EMAIL_NOT_VERIFIED" : "INVALID_CREDENTIALS");
  }
  if (user.emailVerifiedAt === null) throw new AppError("EMAIL_NOT_VERIFIED");
  const newHash = ctx.hasher.isOutdated(passwordHash) ? await ctx.hasher.hash(input.password) : passwordHash;
  const browser = { sessionToken: input.presentedToken ?? null, deviceToken: input.presentedDevice ?? null };
  return completeSignIn(ctx, browser, async (tx) => {
    if (!(await admitUser(tx, user, passwordHash))) throw new AppError("INVALID_CREDENTIALS");
    if (newHash !== passwordHash) await updatePasswordHash(tx, user.id, newHash);
    return user;
  });
};
