import { factOf } from "#api/core/activity.ts";
import { accountLink } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { circumstancesOf } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { passkeySuspectMail } from "#api/modules/mail/index.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { endCeremony, type NewPasskeyPurpose, relyingParty } from "./ceremonies.ts";
import {
  findOwner,
  findPasskey,
  insertPasskey,
  markSuspect,
  noteUse,
  type Passkey,
  type PasskeyUse,
} from "./store.ts";
import type { BrowserAnswer } from "./webauthn.ts";

// With its packages, which installations without passkeys never need.
const loadWebauthn = () => import("./webauthn.ts");

/** Has whatever is thrown about a browser's answer be a `PASSKEY_REFUSED`: the library and the runtime throw errors of any kind. */
export const refusing = async <T>(check: () => Promise<T>): Promise<T> => {
  try {
    return await check();
  } catch (cause) {
    throw new AppError("PASSKEY_REFUSED", undefined, { cause });
  }
};

/** A passkey that someone gives: the challenge, and what the browser made of it. */
export type GivenPasskey = { ceremony: string; response: BrowserAnswer };

/** A passkey whose signature is right, until it is used. */
export type CheckedPasskey = { passkey: Passkey; use: PasskeyUse };

type Wanted = { purpose: "sign-in" | "factor" | "confirm"; userId: string | null; given: GivenPasskey };

/**
 * Checks a passkey that is given for the challenge, which is used up; `userId` is whose it must be. Finish with
 * {@link usePasskey}. Throws `PASSKEY_REFUSED`. One whose counter does not rise may have been copied: it is blocked, and its
 * owner is emailed.
 */
export const checkPasskey = async (
  ctx: Context,
  { purpose, userId, given }: Wanted,
): Promise<CheckedPasskey> => {
  const terms = relyingParty(ctx);
  const { challenge } = await endCeremony(ctx, { id: given.ceremony, purpose, userId });
  const { id } = given.response;
  const passkey = typeof id === "string" ? await findPasskey(ctx.db, id) : null;
  if (passkey === null || (userId ?? passkey.userId) !== passkey.userId) throw unknownPasskey();
  const { readAssertion } = await loadWebauthn();
  const use = await refusing(() => readAssertion(given.response, { ...terms, challenge, passkey }));
  const isBack = Math.max(use.counter, passkey.counter) > 0 && use.counter <= passkey.counter;
  if (isBack) await block(ctx, passkey);
  if (isBack || passkey.suspectAt !== null) throw new AppError("PASSKEY_REFUSED", passkeyTexts.blocked);
  return { passkey, use };
};

/** The refusal of a passkey that belongs to no account, or to another one. */
export const unknownPasskey = (): AppError => new AppError("PASSKEY_REFUSED", passkeyTexts.unknown);

type Made = { purpose: NewPasskeyPurpose; userId: string | null; given: GivenPasskey };

/** A passkey that was made and has neither owner nor name yet. */
export type NewPasskey = Omit<Passkey, "userId" | "name">;

/**
 * Checks a passkey that a browser made for the challenge, which is used up; `userId` is for whose account. Finish with
 * {@link addPasskey}. Throws `PASSKEY_REFUSED`.
 */
export const checkNewPasskey = async (
  ctx: Context,
  { purpose, userId, given }: Made,
): Promise<NewPasskey> => {
  const party = relyingParty(ctx);
  const { challenge, userHandle } = await endCeremony(ctx, { id: given.ceremony, purpose, userId });
  const { readRegistration } = await loadWebauthn();
  const made = await refusing(() => readRegistration(given.response, { ...party, challenge }));
  return {
    ...{ ...made, id: newId(), userHandle: userHandle ?? "", needsPassword: false },
    ...{ createdAt: ctx.clock.now(), lastUsedAt: null, suspectAt: null },
  };
};

/** Stores a passkey that was checked. Throws `PASSKEY_REFUSED` for one that an account has already. */
export const addPasskey = async (tx: Database, passkey: Passkey): Promise<void> => {
  if (!(await insertPasskey(tx, passkey))) throw new AppError("PASSKEY_REFUSED", passkeyTexts.known);
};

const block = async (ctx: Context, { id, userId, name: passkeyName }: Passkey): Promise<void> => {
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const owner = await findOwner(tx, userId);
    if (owner === null || !(await markSuspect(tx, id, now))) return;
    const notice = { name: owner.name, passkeyName, accountLink: accountLink(ctx), ...circumstancesOf(ctx) };
    await ctx.mail.enqueue(tx, { to: owner.email, ...passkeySuspectMail(notice) });
    const entry = {
      type: "suspicious_activity",
      action: "Blocked a passkey that may have been copied",
      description: passkeyName,
      status: "failure",
      severity: "high",
      userEmail: owner.email,
    } as const;
    await ctx.activity.record(tx, factOf(ctx, entry));
  });
  ctx.activity.wake();
  ctx.mail.wake();
};

/** Uses a passkey that was checked, in the caller's transaction. Throws `PASSKEY_REFUSED` when it was used or removed since. */
export const usePasskey = async (
  ctx: Context,
  tx: Database,
  { passkey, use }: CheckedPasskey,
): Promise<void> => {
  if (!(await noteUse(tx, passkey, { ...use, now: ctx.clock.now() })))
    throw new AppError("PASSKEY_REFUSED", passkeyTexts.expired);
};
