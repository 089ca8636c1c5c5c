import { factOf } from "#api/core/activity.ts";
import { requireSession, requireUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import {
  authenticatorRemovedMail,
  recoveryCodesRenewedMail,
  secondFactorEnabledMail,
  secondFactorRemovedMail,
} from "#api/modules/mail/index.ts";
import { listPasskeys } from "#api/modules/passkeys/index.ts";
import { noteFactor } from "#api/modules/sessions/index.ts";
import { factorTexts } from "#contract/auth-texts.ts";
import { limits } from "#contract/limits.ts";
import {
  changeFactors,
  hashRecoveryCode,
  isFactorOffered,
  limitSetupCodes,
  loadTotp,
  newRecoveryCodes,
  noticeFor,
  onField,
  openPending,
  refuseUnoffered,
  sealPending,
  sealTotp,
  settleOwnFactors,
} from "./check-code.ts";
import {
  type NewRecoveryCodes,
  type OwnSecondFactors,
  secondFactorsContract,
  type TotpSetup,
  type VerifyTotpInput,
} from "./contract.ts";
import {
  countRecoveryCodes,
  findPending,
  findTotp,
  type PendingTotp,
  removeTotp as removeApp,
  replaceRecoveryCodes,
  savePending,
  saveTotp,
  setSecondFactorAt,
  takePending,
  verifyPending,
} from "./store.ts";

/** The caller's second factors. */
const readFactors = async (ctx: Context): Promise<OwnSecondFactors> => {
  const { user, factorRequiredBy } = requireSession(ctx);
  const { id } = user;
  const totp = await findTotp(ctx.db, id);
  return {
    totp: totp && { enabledAt: totp.enabledAt.toISOString() },
    passkeys: (await listPasskeys(ctx.db, id)).length,
    recoveryCodesLeft: await countRecoveryCodes(ctx.db, id),
    isOffered: isFactorOffered(ctx),
    requiredBy: factorRequiredBy?.toISOString() ?? null,
  };
};

/**
 * Begins to set an authenticator app up; the secret is shown only now. Throws `CONFLICT` for someone without a second factor where
 * none is offered.
 */
const beginTotp = async (ctx: Context): Promise<TotpSetup> => {
  const { id, email } = requireUser(ctx);
  refuseUnoffered(ctx);
  const { newTotpSecret, setupOf } = await loadTotp();
  const secret = newTotpSecret();
  const pending = { userId: id, secret: sealPending(ctx, id, secret), now: ctx.clock.now() };
  await savePending(ctx.db, pending);
  return setupOf(secret, { site: ctx.settings.current.site.name, account: email });
};

/**
 * Checks the first code of the app, and makes the recovery codes that go with it. Throws a 422 on `code` for a wrong one,
 * `RATE_LIMITED` after five, and `CONFLICT` when the setup has expired.
 */
const verifyTotp = async (ctx: Context, { code }: VerifyTotpInput): Promise<NewRecoveryCodes> => {
  const { id } = requireUser(ctx);
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
  await onField("code", limitSetupCodes(ctx, id, check));
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

/**
 * Removes the caller's authenticator app, and with the last second factor the recovery codes. An email tells. Throws `NOT_FOUND`,
 * and `LAST_SECOND_FACTOR` where one is required.
 */
const removeTotp = async (ctx: Context): Promise<{ message: string }> => {
  await changeFactors(ctx, async (tx, account) => {
    if (!(await removeApp(tx, account.id))) throw new AppError("NOT_FOUND");
    const isProtected = await settleOwnFactors(ctx, tx, account);
    const entry = { type: "api_call", action: "Removed the authenticator app", severity: "high" } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    return (isProtected ? authenticatorRemovedMail : secondFactorRemovedMail)(noticeFor(ctx, account));
  });
  return { message: factorTexts.removed };
};

/** Replaces the caller's recovery codes. An email tells. Throws `CONFLICT` without a second factor. */
const renewRecoveryCodes = async (ctx: Context): Promise<NewRecoveryCodes> => {
  const recoveryCodes = newRecoveryCodes();
  await changeFactors(ctx, async (tx, account) => {
    if (account.secondFactorAt === null) throw new AppError("CONFLICT", factorTexts.factorWanted);
    const hashes = recoveryCodes.map(hashRecoveryCode);
    await replaceRecoveryCodes(tx, { userId: account.id, hashes, now: ctx.clock.now() });
    const entry = { type: "api_call", action: "Replaced the recovery codes", severity: "medium" } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
    return recoveryCodesRenewedMail(noticeFor(ctx, account));
  });
  return { recoveryCodes };
};

/** What does the operations of second factors. */
export const secondFactorsOperations = implement("secondFactors", secondFactorsContract, {
  get: readFactors,
  beginTotp: (ctx) => beginTotp(ctx),
  verifyTotp,
  enableTotp: (ctx) => enableTotp(ctx),
  removeTotp: (ctx) => removeTotp(ctx),
  renewRecoveryCodes: (ctx) => renewRecoveryCodes(ctx),
});
