import { accountLink, requireSession } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { isFactorRequired } from "#api/core/password-policy.ts";
import type { UserRow } from "#api/db/user-rows.ts";
import { holdSession } from "#api/modules/sessions/index.ts";
import { factorTexts } from "#contract/auth-texts.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { holdOwner, replaceRecoveryCodes, setSecondFactorAt, settleFactors } from "./store.ts";

type Letter = Parameters<Context["mail"]["enqueue"]>[1];

/** Runs a change of the caller's factors while account and session go on, and mails what it resolves to. */
export const changeFactors = async (
  ctx: Context,
  change: (tx: Database, account: UserRow) => Promise<Omit<Letter, "to">>,
): Promise<void> => {
  const { user, sessionHash } = requireSession(ctx);
  await ctx.db.transaction(async (tx) => {
    const account = await holdOwner(tx, user.id);
    const session = { userId: user.id, tokenHash: sessionHash, now: ctx.clock.now() };
    if (account === null || !(await holdSession(tx, session))) throw new AppError("NOT_SIGNED_IN");
    const letter = await change(tx, account);
    await ctx.mail.enqueue(tx, { to: account.email, ...letter });
  });
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId: user.id });
};

/**
 * Says on the row of a user, which must be held, that they have one second factor more. The recovery codes that come with the first;
 * `null` for another one.
 */
export const noteFactorAdded = async (
  tx: Database,
  { id, secondFactorAt }: Pick<UserRow, "id" | "secondFactorAt">,
  now: Date,
): Promise<string[] | null> => {
  await setSecondFactorAt(tx, id, secondFactorAt ?? now);
  if (secondFactorAt !== null) return null;
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, { userId: id, hashes: codes.map(hashRecoveryCode), now });
  return codes;
};

/** Whether users without a second factor can set one up. */
export const offersFactors = ({ settings }: Pick<Context, "settings">): boolean =>
  settings.current.accounts.secondFactor !== "off";

/** Whether the caller can set a second factor up or replace it: those who have one always can. */
export const isFactorOffered = (ctx: Context): boolean =>
  requireSession(ctx).secondFactor !== undefined || offersFactors(ctx);

/** Throws `CONFLICT` where the caller can set up no second factor. */
export const refuseUnoffered = (ctx: Context): void => {
  if (!isFactorOffered(ctx)) throw new AppError("CONFLICT", factorTexts.notOffered);
};

/** As {@link settleFactors}. Throws `LAST_SECOND_FACTOR` when it was the last one and one is required. */
export const settleOwnFactors = async (ctx: Context, tx: Database, account: UserRow): Promise<boolean> => {
  const isProtected = await settleFactors(tx, account);
  if (!isProtected && isFactorRequired(account.role, ctx.settings.current.accounts))
    throw new AppError("LAST_SECOND_FACTOR");
  return isProtected;
};

/** What each email about a change of factors tells. */
export const noticeFor = (ctx: Context, { name }: Pick<UserRow, "name">) => ({
  name,
  accountLink: accountLink(ctx),
  ...circumstancesOf(ctx),
});
