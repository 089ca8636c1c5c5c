import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { findSession, holdSession } from "#api/modules/sessions/index.ts";
import { accountTexts } from "#contract/account-texts.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import { confirmPassword } from "./confirm-password.ts";
import { findAccount, holdAccount } from "./store.ts";

/**
 * Lets pass whose sign-in is younger than ten minutes, or who gives their password; the operator and API tokens, behind
 * which nobody sits, always. Throws `REAUTHENTICATION_REQUIRED` where neither is so, a 422 on `password` for a wrong one,
 * and `RATE_LIMITED` after ten.
 */
export const confirmPresence = async (ctx: Context, password: string | undefined): Promise<void> => {
  if (ctx.actor.kind !== "user") return;
  const { user, sessionHash } = ctx.actor;
  const own = await findSession(ctx.db, sessionHash);
  const account = await findAccount(ctx.db, user.id);
  if (!own || !account) throw new AppError("NOT_SIGNED_IN");
  if (ctx.clock.now().getTime() - own.createdAt.getTime() < limits.freshSessionMs) return;
  // A plan takes no password: to be wrong about it leaves no trace where everything is rolled back.
  if (ctx.isDryRun) throw new AppError("REAUTHENTICATION_REQUIRED", accountTexts.signInAgain);
  const { passwordHash } = account;
  if (passwordHash === null) throw new AppError("REAUTHENTICATION_REQUIRED", accountTexts.signInAgain);
  if (password === undefined) throw new AppError("REAUTHENTICATION_REQUIRED", tokenTexts.passwordWanted);
  await confirmPassword(ctx, { userId: user.id, passwordHash, password, field: "password" });
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
