import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireSession } from "#api/core/require-actor.ts";
import { findSession } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { accountTexts } from "#contract/account-texts.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { confirmPassword } from "./confirm-password.ts";

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
  if (passwordHash === null) return requireFreshSession(ctx);
  if (password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  await confirmPassword(ctx, { userId, passwordHash, password, field: "password" });
};

const requireFreshSession = async (ctx: Context): Promise<void> => {
  const own = await findSession(ctx.db, requireSession(ctx).sessionHash);
  if (!own) throw new AppError("NOT_SIGNED_IN");
  if (ctx.clock.now().getTime() - own.createdAt.getTime() >= limits.freshSessionMs)
    throw new AppError("REAUTHENTICATION_REQUIRED", accountTexts.signInAgain);
};
