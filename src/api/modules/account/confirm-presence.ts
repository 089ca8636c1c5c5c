import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { isProven } from "#api/core/proof.ts";
import { holdSession } from "#api/modules/sessions/index.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { accountTexts } from "#contract/account-texts.ts";
import type { ConfirmWay } from "#contract/proof.ts";
import { providerIdFields, providerNames } from "#contract/users.ts";
import { confirmPassword } from "./confirm-password.ts";
import { findAccount, holdAccount } from "./store.ts";

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
