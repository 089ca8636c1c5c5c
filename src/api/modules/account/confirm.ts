import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { beginSession, endSession } from "#api/modules/sessions/index.ts";
import { accountTexts } from "#contract/account-texts.ts";
import { confirmPassword, confirmPresence, proofWanted } from "./confirm-owner.ts";
import type { ConfirmInput } from "./contract.ts";
import { findAccount, holdAccount } from "./store.ts";

/**
 * Confirms by the password that the owner of the caller's session holds it. The session goes on under another token, which
 * this resolves to, and counts as one that began now. Without a password nothing changes for a session that is young enough
 * (`null`), and others get `REAUTHENTICATION_REQUIRED`, as do those whose account has none. Throws a 422 for a wrong password
 * (`RATE_LIMITED` after ten), and `CONFLICT` when it was changed meanwhile.
 */
export const confirm = async (ctx: Context, { password }: ConfirmInput): Promise<string | null> => {
  const { user, sessionHash } = requireSession(ctx);
  if (password === undefined) {
    await confirmPresence(ctx, undefined);
    return null;
  }
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { passwordHash } = account;
  if (passwordHash === null) throw proofWanted(ctx, account);
  await confirmPassword(ctx, { userId: user.id, passwordHash, password, field: "password" });
  const token = await ctx.db.transaction(async (tx) => {
    const held = await holdAccount(tx, user.id);
    if (held?.passwordHash !== passwordHash) throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
    // A session that was ended while the hash was computed must not bring forth another.
    if ((await endSession(tx, sessionHash)) === null) throw new AppError("NOT_SIGNED_IN");
    return beginSession(ctx, tx, user.id);
  });
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return token;
};
