import { requireSession } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken } from "#api/core/ids.ts";
import { checkNewPassword } from "#api/core/password-policy.ts";
import { replacePassword } from "#api/modules/passwords/index.ts";
import { beginSession, endSession, type IssuedSession } from "#api/modules/sessions/index.ts";
import { holdEnabledUser, type UserRow } from "#api/modules/users/index.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { confirmPassword } from "./confirm-owner.ts";
import type { ChangePasswordInput } from "./contract.ts";
import { findAccount } from "./store.ts";

/** A change of password; `deviceToken` is the token of the browser's known-device cookie, if any. */
type PasswordChange = ChangePasswordInput & { deviceToken: string | null };

/**
 * Changes the caller's password and resolves to the session that takes the place of all others, the
 * caller's included. Other browsers are unknown again, open links to a new password end, and an email tells. Throws a
 * 422 for a wrong current password (`RATE_LIMITED` after ten) and for a new one that will not do; `CONFLICT` for an
 * account without a password, and when the password was changed meanwhile: of many calls at the same time one succeeds.
 */
export const changePassword = async (ctx: Context, input: PasswordChange): Promise<IssuedSession> => {
  const { user } = requireSession(ctx);
  const { currentPassword, newPassword } = input;
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  const { passwordHash } = account;
  if (passwordHash === null) throw new AppError("CONFLICT", accountTexts.passwordAbsent);
  const proof = { userId: user.id, passwordHash, password: currentPassword, field: "currentPassword" };
  await confirmPassword(ctx, proof);
  if (newPassword === currentPassword) throw samePassword();
  await checkNewPassword(ctx, newPassword, { ...account, field: "newPassword" });
  const newHash = await ctx.hasher.hash(newPassword);
  const issued = await ctx.db.transaction((tx) => replace(ctx, tx, { account, newHash, ...input }));
  ctx.mail.wake();
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  return issued;
};

const samePassword = () => validationError([{ path: "newPassword", message: accountTexts.passwordSame }]);

type Replacement = { account: UserRow; newHash: string; deviceToken: string | null };

const replace = async (ctx: Context, tx: Database, replacement: Replacement): Promise<IssuedSession> => {
  const { account, newHash, deviceToken } = replacement;
  const held = await holdEnabledUser(tx, account.id);
  if (!held) throw new AppError("NOT_SIGNED_IN");
  if (held.passwordHash !== account.passwordHash)
    throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
  // A session that was ended while the hashes were computed must not bring forth another.
  const { sessionHash, secondFactor } = requireSession(ctx);
  const own = await endSession(tx, sessionHash);
  if (own === null) throw new AppError("NOT_SIGNED_IN");
  const keptDevice = deviceToken === null ? null : hashToken(deviceToken);
  await replacePassword(ctx, tx, { user: held, passwordHash: newHash, keptDevice });
  const via = own.provider === null ? null : { provider: own.provider, sid: own.providerSid };
  return beginSession(ctx, tx, { user: held, factorAt: secondFactor?.provenAt ?? null, via });
};
