import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { isProven } from "#api/core/proof.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { authTexts } from "#contract/auth-texts.ts";
import { confirmPassword } from "./confirm-password.ts";
import { proofWanted } from "./confirm-presence.ts";

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
