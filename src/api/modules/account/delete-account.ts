import { factOf } from "#api/core/activity.ts";
import { requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import { type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { accountDeletedMail } from "#api/modules/mail/index.ts";
import { forgetSignInFailures } from "#api/modules/passwords/index.ts";
import { findSession } from "#api/modules/sessions/index.ts";
import { holdAdmins, holdEnabledUser, removeUser, type UserRow } from "#api/modules/users/index.ts";
import { accountTexts } from "#contract/auth-texts.ts";
import { confirmOwner } from "./confirm-owner.ts";
import type { DeleteAccountInput } from "./contract.ts";
import { findAccount } from "./store.ts";

/**
 * Deletes the caller's account with its sessions, known browsers and links; an email tells. What the person wrote through
 * the contact form stays, without the account; emails that wait go out, because they tell of what happened. Throws a 422
 * for a missing or wrong password (`RATE_LIMITED` after ten), `REAUTHENTICATION_REQUIRED` where there is no password
 * and the session is older than ten minutes, and `LAST_ADMIN`: of the last two admins who leave at the same time, one stays.
 */
export const deleteAccount = async (ctx: Context, input: DeleteAccountInput): Promise<void> => {
  const { user } = requireSession(ctx);
  const account = await findAccount(ctx.db, user.id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  await confirmOwner(ctx, account, input.password);
  await ctx.db.transaction((tx) => remove(ctx, tx, account));
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.events.publish({ type: "sessions-ended", userId: user.id });
  ctx.events.publish({ type: "user-changed", userId: user.id });
};

const remove = async (ctx: Context, tx: Database, account: UserRow): Promise<void> => {
  const admins = await holdAdmins(ctx, tx, account.id);
  const held = await holdEnabledUser(tx, account.id);
  // The session may have been ended while the hash was computed.
  const own = await findSession(tx, requireSession(ctx).sessionHash);
  if (!held || !own) throw new AppError("NOT_SIGNED_IN");
  if (held.passwordHash !== account.passwordHash)
    throw new AppError("CONFLICT", accountTexts.changedMeanwhile);
  if (held.role === "admin" && admins.every((id) => id === held.id)) throw new AppError("LAST_ADMIN");
  const notice = { name: held.name, contactLink: contactLink(ctx), ...circumstancesOf(ctx) };
  await ctx.mail.enqueue(tx, { to: held.email, ...accountDeletedMail(notice) });
  await runBefore(ctx, tx, "user.delete", held);
  await removeUser(tx, held.id, ctx.clock.now());
  await forgetSignInFailures(tx, held.emailKey);
  const entry = {
    type: "api_call",
    action: "Deleted their own account",
    severity: "high",
    before: { email: held.email, role: held.role },
  } as const;
  await ctx.activity.record(tx, factOf(ctx, entry));
};

/** The page on which anyone can write to whoever runs the site. */
const contactLink = (ctx: Context): string => `${ctx.appUrl}/contact`;
