import { randomBytes } from "node:crypto";
import { noteActivity } from "#api/core/activity.ts";
import { accountLink, requireSession } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { circumstancesOf, networkOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { hashToken } from "#api/core/ids.ts";
import { isFactorRequired } from "#api/core/password-policy.ts";
import type { UserRow } from "#api/db/user-rows.ts";
import { recoveryCodeUsedMail } from "#api/modules/mail/index.ts";
import { checkPasskey, type GivenPasskey, usePasskey } from "#api/modules/passkeys/index.ts";
import { noTriesLeft, returnSignInTry, takeSignInTry } from "#api/modules/passwords/index.ts";
import { holdSession } from "#api/modules/sessions/index.ts";
import { factorTexts, tooManyCodes } from "#contract/auth-texts.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import type { FactorWanted } from "#contract/proof.ts";
import {
  countRecoveryCodes,
  findFactorWays,
  findTotp,
  holdOwner,
  replaceRecoveryCodes,
  setSecondFactorAt,
  settleFactors,
  takeRecoveryCode,
  takeStep,
} from "./store.ts";

// With its packages, which most starts don't need.
export const loadTotp = () => import("./totp.ts");

const purpose = "second-factor";
const placeOf = (userId: string): string => `totp_secrets:secret:${userId}`;
const pendingPlaceOf = (userId: string): string => `pending_totp_secrets:secret:${userId}`;

/** How the secrets of authenticator apps are encrypted, for changing the key. */
export const totpSealing = { purpose, placeOf };

/** Encrypts the secret of an app that is enabled. */
export const sealTotp = ({ secrets }: Context, userId: string, secret: Uint8Array): Uint8Array =>
  secrets.seal(purpose, placeOf(userId), secret);

/** Encrypts the secret of an app that is being set up. */
export const sealPending = ({ secrets }: Context, userId: string, secret: Uint8Array): Uint8Array =>
  secrets.seal(purpose, pendingPlaceOf(userId), secret);

type Sealed = { userId: string; secret: Uint8Array };

/** The secret of an app that is enabled. Throws `SECOND_FACTOR_UNREADABLE` when no key opens it. */
const openTotp = (ctx: Context, { userId, secret }: Sealed): Uint8Array => open(ctx, placeOf(userId), secret);

/** The secret of an app that is being set up. Throws `SECOND_FACTOR_UNREADABLE` when no key opens it. */
export const openPending = (ctx: Context, { userId, secret }: Sealed): Uint8Array =>
  open(ctx, pendingPlaceOf(userId), secret);

const open = (ctx: Context, place: string, sealed: Uint8Array): Uint8Array => {
  try {
    return ctx.secrets.open(purpose, place, sealed);
  } catch (error) {
    // Never skipped: a lost key must not open accounts to the password alone.
    ctx.log.error("a second factor can't be decrypted", {
      requestId: ctx.requestId,
      error: describeError(error),
    });
    throw new AppError("SECOND_FACTOR_UNREADABLE", undefined, { cause: error });
  }
};

const codesOf = (userId: string): string => `code:${userId}`;
const setupCodesOf = (userId: string): string => `setup-code:${userId}`;

/** Forgets the wrong codes of a user whose second factor was reset: they were of another app. */
export const forgetWrongCodes = ({ attempts }: Context, userId: string): Promise<void> =>
  attempts.clear([codesOf(userId), setupCodesOf(userId)]);

/** Whose code is checked. */
type Owner = Pick<UserRow, "id" | "emailKey">;

/**
 * Runs the check of a code of an authenticator app: five wrong ones within 15 minutes, then `RATE_LIMITED`. They count like
 * wrong passwords towards those that an account may have in a row. `check` throws `CODE_INVALID` for a wrong code.
 */
const limitCodes = <T>(ctx: Context, owner: Owner, check: () => Promise<T>): Promise<T> =>
  limited(ctx, codesOf(owner.id), async () => {
    if (!(await takeSignInTry(ctx.db, owner.emailKey, ctx.clock.now()))) throw noTriesLeft();
    let isWrong = false;
    try {
      return await check();
    } catch (error) {
      isWrong = isWrongCode(error);
      throw error;
    } finally {
      if (!isWrong) await returnSignInTry(ctx.db, owner.emailKey);
    }
  });

/**
 * Runs the check of a recovery code. They are too long to guess: the limit bounds the work, for each network on its own, so that
 * wrong ones from elsewhere don't keep the owner out.
 */
const limitRecoveryCodes = <T>(ctx: Context, owner: Owner, check: () => Promise<T>): Promise<T> =>
  limited(ctx, `recovery-code:${owner.id} ${networkOf(ctx.ip)}`, check);

/**
 * Runs the check of a code of an app that is being set up. Its owner reads the key off the page, so there is nothing to guess:
 * the limit bounds the work, and wrong codes count for nothing else.
 */
export const limitSetupCodes = <T>(ctx: Context, userId: string, check: () => Promise<T>): Promise<T> =>
  limited(ctx, setupCodesOf(userId), check);

const limited = async <T>(ctx: Context, key: string, check: () => Promise<T>): Promise<T> => {
  const budget = {
    key,
    most: limits.codeFailures,
    windowMs: limits.codeFailuresWindowMs,
    message: tooManyCodes,
  };
  return ctx.attempts.run([budget], check, isWrongCode);
};

const isWrongCode = (error: unknown): boolean => error instanceof AppError && error.kind === "CODE_INVALID";

/** A code that somebody gives as their second factor. */
type GivenCode = { code: string } | { recoveryCode: string };

/** What somebody gives as their second factor. */
export type GivenFactor = GivenCode | GivenPasskey;

/** Uses what was given up, in a transaction that holds the account. Throws `CODE_INVALID` or `PASSKEY_REFUSED`. */
type TakeFactor = (tx: Database, account: UserRow) => Promise<void>;

/** Whose factor is given, and what for. */
type Giving = {
  account: Owner & Pick<UserRow, "email">;
  given: GivenFactor;
  purpose: "factor" | "confirm";
};

/**
 * Runs `finish`, which takes what is given, within its limits. Throws what that throws, `PASSKEY_REFUSED` for a passkey that is
 * not right, and `RATE_LIMITED`; a wrong code or passkey is recorded.
 */
export const checkFactor = async <T>(
  ctx: Context,
  { account, given, purpose }: Giving,
  finish: (take: TakeFactor) => Promise<T>,
): Promise<T> => {
  if (!("ceremony" in given))
    return checkCode(ctx, { account, given }, () =>
      finish((tx, held) => takeFactor(ctx, tx, { account: held, given })),
    );
  try {
    const checked = await checkPasskey(ctx, { purpose, userId: account.id, given });
    return await finish((tx) => usePasskey(ctx, tx, checked));
  } catch (error) {
    if (error instanceof AppError && error.kind === "PASSKEY_REFUSED")
      noteWrongFactor(ctx, account, "Used a passkey that was refused");
    throw error;
  }
};

/** Runs a check of a code within its limits. Throws what it throws, and `RATE_LIMITED`; a wrong code is recorded. */
const checkCode = async <T>(
  ctx: Context,
  { account, given }: { account: Giving["account"]; given: GivenCode },
  check: () => Promise<T>,
): Promise<T> => {
  const limit = "code" in given ? limitCodes : limitRecoveryCodes;
  try {
    return await limit(ctx, account, check);
  } catch (error) {
    if (isWrongCode(error)) noteWrongFactor(ctx, account, "Entered a wrong code of a second factor");
    throw error;
  }
};

/**
 * Uses a code of a user's second factor up in the caller's transaction; an email tells of a recovery code. Throws
 * `CODE_INVALID` for a wrong or used one, and `SECOND_FACTOR_UNREADABLE`. Call `ctx.mail.wake` after the commit.
 */
const takeFactor = async (
  ctx: Context,
  tx: Database,
  { account, given }: { account: UserRow; given: GivenCode },
): Promise<void> => {
  const { id, name, email } = account;
  if ("code" in given) return takeCode(ctx, tx, { userId: id, code: given.code });
  if (!(await takeRecoveryCode(tx, id, hashRecoveryCode(given.recoveryCode))))
    throw new AppError("CODE_INVALID");
  const left = await countRecoveryCodes(tx, id);
  const notice = { name, left, accountLink: accountLink(ctx), ...circumstancesOf(ctx) };
  await ctx.mail.enqueue(tx, { to: email, ...recoveryCodeUsedMail(notice) });
};

const takeCode = async (
  ctx: Context,
  tx: Database,
  { userId, code }: { userId: string; code: string },
): Promise<void> => {
  const { acceptedStep } = await loadTotp();
  const totp = await findTotp(tx, userId);
  if (totp === null) throw new AppError("CODE_INVALID");
  const now = { nowMs: ctx.clock.now().getTime(), lastStep: totp.lastStep };
  const step = acceptedStep(openTotp(ctx, totp), { code, ...now });
  if (step === null || !(await takeStep(tx, userId, step))) throw new AppError("CODE_INVALID");
};

/** Tells a user who is signed in of a wrong code on its field: a 401 would say that they are not. */
export const onField = async <T>(path: string, check: Promise<T>): Promise<T> => {
  try {
    return await check;
  } catch (error) {
    if (!isWrongCode(error)) throw error;
    throw validationError([{ path, message: errorTexts.CODE_INVALID }]);
  }
};

/** The refusal of a user who has to give their second factor, with the ways in which they can. */
export const factorWanted = async ({ db }: Context, userId: string): Promise<AppError> => {
  const data: FactorWanted = { ways: await findFactorWays(db, userId) };
  return new AppError("SECOND_FACTOR_REQUIRED", undefined, { data });
};

/** Leaves with the activity log that a wrong code of a user's second factor, or a passkey that is not right, was sent. */
const noteWrongFactor = (ctx: Context, owner: Pick<UserRow, "email">, action: string): void =>
  noteActivity(ctx, {
    type: "suspicious_activity",
    action,
    status: "failure",
    severity: "medium",
    userEmail: owner.email,
  });

// Crockford's base32: no letter that looks like a digit. 16 of 5 bits are 80 bits, too many to guess.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const codes = 10;
const characters = 16;

/** Ten new recovery codes, such as `q436-335n-mzd7-mng8`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: codes }, () =>
    Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length])
      .join("")
      .replace(/(.{4})(?!$)/g, "$1-"),
  );

/** The hash under which a code is stored, however it was typed: case, spaces and hyphens don't matter, nor do `i`, `l` and `o`. */
export const hashRecoveryCode = (typed: string): string =>
  hashToken(
    typed
      .toLowerCase()
      .replace(/[^0-9a-z]/g, "")
      .replace(/[il]/g, "1")
      .replaceAll("o", "0"),
  );

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
