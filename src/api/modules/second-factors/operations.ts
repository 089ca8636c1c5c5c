import { factOf } from "#api/core/activity.ts";
import { accountLink, requireSession, requireUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { implement } from "#api/core/implement.ts";
import {
  recoveryCodesRenewedMail,
  secondFactorEnabledMail,
  secondFactorRemovedMail,
} from "#api/modules/mail/index.ts";
import { holdSession, noteFactor } from "#api/modules/sessions/index.ts";
import { holdEnabledUser, type UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import { factorTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import { checkFactor, loadTotp, onField, openPending, sealPending, sealTotp } from "./check-code.ts";
import {
  type NewRecoveryCodes,
  type OwnSecondFactors,
  secondFactorsContract,
  type TotpSetup,
  type VerifyTotpInput,
} from "./contract.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import {
  countRecoveryCodes,
  findPending,
  findTotp,
  type PendingTotp,
  removeFactors,
  replaceRecoveryCodes,
  savePending,
  saveTotp,
  setSecondFactorAt,
  takePending,
  verifyPending,
} from "./store.ts";

/** The caller's second factor. */
const readFactors = async (ctx: Context): Promise<OwnSecondFactors> => {
  const { id } = requireUser(ctx);
  const totp = await findTotp(ctx.db, id);
  return {
    totp: totp && { enabledAt: totp.enabledAt.toISOString() },
    recoveryCodesLeft: await countRecoveryCodes(ctx.db, id),
  };
};

/** Begins to set an authenticator app up; the secret is shown only now. */
const beginTotp = async (ctx: Context): Promise<TotpSetup> => {
  const { id, email } = requireUser(ctx);
  const { newTotpSecret, setupOf } = await loadTotp();
  const secret = newTotpSecret();
  const pending = { userId: id, secret: sealPending(ctx, id, secret), now: ctx.clock.now() };
  await savePending(ctx.db, pending);
  return setupOf(secret, email);
};

/**
 * Checks the first code of the app, and makes the recovery codes that go with it. Throws a 422 on `code` for a wrong one,
 * `RATE_LIMITED` after five, and `CONFLICT` when the setup has expired.
 */
const verifyTotp = async (ctx: Context, { code }: VerifyTotpInput): Promise<NewRecoveryCodes> => {
  const { id, email } = requireUser(ctx);
  const owner = { id, email, emailKey: emailKey(email) };
  const pending = await findPending(ctx.db, id);
  if (pending === null || isExpired(ctx, pending)) throw new AppError("CONFLICT", factorTexts.setupExpired);
  const { acceptedStep } = await loadTotp();
  const recoveryCodes = newRecoveryCodes();
  const check = async () => {
    const now = ctx.clock.now();
    const { lastStep } = pending;
    const step = acceptedStep(openPending(ctx, pending), { code, nowMs: now.getTime(), lastStep });
    const hashes = recoveryCodes.map(hashRecoveryCode);
    if (step === null || !(await verifyPending(ctx.db, pending, { step, hashes, now })))
      throw new AppError("CODE_INVALID");
  };
  await onField("code", checkFactor(ctx, { account: owner, given: { code } }, check));
  return { recoveryCodes };
};

const isExpired = ({ clock }: Context, { verifiedAt, createdAt }: PendingTotp): boolean =>
  clock.now().getTime() - (verifiedAt ?? createdAt).getTime() >= limits.factorSetupMs;

/**
 * Enables the app whose first code was checked, in the place of an older one: from now on it is asked for. An email tells.
 * Throws `CONFLICT` when none was checked or the setup has expired, and `NOT_SIGNED_IN` when the session ended meanwhile.
 */
const enableTotp = async (ctx: Context): Promise<{ message: string }> => {
  await changeFactors(ctx, async (tx, account) => {
    const now = ctx.clock.now();
    const pending = await takePending(tx, account.id);
    if (pending === null || pending.recoveryHashes === null || isExpired(ctx, pending))
      throw new AppError("CONFLICT", factorTexts.setupExpired);
    const { lastStep, recoveryHashes: hashes } = pending;
    const secret = sealTotp(ctx, account.id, openPending(ctx, pending));
    await saveTotp(tx, { userId: account.id, secret, lastStep, enabledAt: now });
    await replaceRecoveryCodes(tx, { userId: account.id, hashes, now });
    await setSecondFactorAt(tx, account.id, account.secondFactorAt ?? now);
    await noteFactor(tx, requireSession(ctx).sessionHash, now);
    const entry = { type: "api_call", action: "Enabled an authenticator app", severity: "medium" } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    return secondFactorEnabledMail(noticeFor(ctx, account));
  });
  return { message: factorTexts.enabled };
};

/** Removes the caller's second factor with its recovery codes. An email tells. Throws `NOT_FOUND` without one. */
const removeTotp = async (ctx: Context): Promise<{ message: string }> => {
  await changeFactors(ctx, async (tx, account) => {
    if (!(await removeFactors(tx, account.id))) throw new AppError("NOT_FOUND");
    const entry = { type: "api_call", action: "Removed the authenticator app", severity: "high" } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    return secondFactorRemovedMail(noticeFor(ctx, account));
  });
  return { message: factorTexts.removed };
};

/** Replaces the caller's recovery codes. An email tells. Throws `CONFLICT` without an authenticator app. */
const renewRecoveryCodes = async (ctx: Context): Promise<NewRecoveryCodes> => {
  const recoveryCodes = newRecoveryCodes();
  await changeFactors(ctx, async (tx, account) => {
    if (account.secondFactorAt === null) throw new AppError("CONFLICT", factorTexts.appWanted);
    const hashes = recoveryCodes.map(hashRecoveryCode);
    await replaceRecoveryCodes(tx, { userId: account.id, hashes, now: ctx.clock.now() });
    const entry = { type: "api_call", action: "Replaced the recovery codes", severity: "medium" } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    return recoveryCodesRenewedMail(noticeFor(ctx, account));
  });
  return { recoveryCodes };
};

type Letter = Parameters<Context["mail"]["enqueue"]>[1];

/** Runs a change of the caller's factors while account and session go on, and mails what it resolves to. */
const changeFactors = async (
  ctx: Context,
  change: (tx: Database, account: UserRow) => Promise<Omit<Letter, "to">>,
): Promise<void> => {
  const { user, sessionHash } = requireSession(ctx);
  await ctx.db.transaction(async (tx) => {
    const account = await holdEnabledUser(tx, user.id);
    const session = { userId: user.id, tokenHash: sessionHash, now: ctx.clock.now() };
    if (account === null || !(await holdSession(tx, session))) throw new AppError("NOT_SIGNED_IN");
    const letter = await change(tx, account);
    await ctx.mail.enqueue(tx, { to: account.email, ...letter });
  });
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId: user.id });
};

const noticeFor = (ctx: Context, { name }: UserRow) => ({
  name,
  accountLink: accountLink(ctx),
  ...circumstancesOf(ctx),
});

/** What does the operations of second factors. */
export const secondFactorsOperations = implement("secondFactors", secondFactorsContract, {
  get: readFactors,
  beginTotp: (ctx) => beginTotp(ctx),
  verifyTotp,
  enableTotp: (ctx) => enableTotp(ctx),
  removeTotp: (ctx) => removeTotp(ctx),
  renewRecoveryCodes: (ctx) => renewRecoveryCodes(ctx),
});
