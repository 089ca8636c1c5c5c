import { factOf } from "#api/core/activity.ts";
import { requireSession, requireUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { implement } from "#api/core/implement.ts";
import { passkeyAddedMail, passkeyRemovedMail } from "#api/modules/mail/index.ts";
import {
  changeFactors,
  noteFactorAdded,
  noticeFor,
  refuseUnoffered,
  settleOwnFactors,
} from "#api/modules/second-factors/index.ts";
import { noteFactor } from "#api/modules/sessions/index.ts";
import { canSignIn } from "#api/modules/users/index.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { type BegunCeremony, beginRegistration } from "./ceremonies.ts";
import { addPasskey, checkNewPasskey } from "./check-passkey.ts";
import {
  type AddedPasskey,
  type AddPasskeyInput,
  type OwnPasskey,
  type OwnPasskeys,
  passkeysContract,
  type RenamePasskeyInput,
} from "./contract.ts";
import { listPasskeys, type Passkey, removePasskey, renamePasskey } from "./store.ts";

/** The caller's passkeys. */
const listOwnPasskeys = async (ctx: Context): Promise<OwnPasskeys> => ({
  isOffered: ctx.passkeyHost !== null,
  suggestedName: describeDevice(ctx.userAgent),
  passkeys: (await listPasskeys(ctx.db, requireUser(ctx).id)).map((passkey) => toOwnPasskey(ctx, passkey)),
});

const toOwnPasskey = ({ passkeyHost }: Context, passkey: Passkey): OwnPasskey => ({
  id: passkey.id,
  credentialId: passkey.credentialId,
  name: passkey.name,
  host: passkey.rpId,
  worksHere: passkey.rpId === passkeyHost,
  isSynced: passkey.isBackedUp,
  isBlocked: passkey.suspectAt !== null,
  createdAt: passkey.createdAt.toISOString(),
  lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
});

/** Begins to add a passkey. Throws `CONFLICT` where none can be added. */
const beginPasskey = async (ctx: Context): Promise<BegunCeremony> => {
  const user = requireUser(ctx);
  refuseUnoffered(ctx);
  const known = await listPasskeys(ctx.db, user.id);
  if (known.length >= limits.passkeysByUser) throw tooMany();
  return beginRegistration(ctx, { purpose: "register", userId: user.id, user, known });
};

const tooMany = () => new AppError("CONFLICT", passkeyTexts.tooMany);

/**
 * Adds the passkey that the caller's browser made for the challenge. With the account's first second factor come recovery codes.
 * An email tells. Throws `PASSKEY_REFUSED`, `CONFLICT` when there are too many, and `NOT_SIGNED_IN` when the session ended.
 */
const addOwnPasskey = async (ctx: Context, input: AddPasskeyInput): Promise<AddedPasskey> => {
  const { user, sessionHash } = requireSession(ctx);
  const made = await checkNewPasskey(ctx, { purpose: "register", userId: user.id, given: input });
  const passkey = { ...made, userId: user.id, name: input.name.trim() };
  let recoveryCodes: string[] | null = null;
  await changeFactors(ctx, async (tx, account) => {
    if ((await listPasskeys(tx, account.id)).length >= limits.passkeysByUser) throw tooMany();
    await addPasskey(tx, passkey);
    recoveryCodes = await noteFactorAdded(tx, account, passkey.createdAt);
    await noteFactor(tx, sessionHash, passkey.createdAt);
    const entry = { type: "api_call", action: "Added a passkey", severity: "medium" } as const;
    await ctx.activity.record(tx, factOf(ctx, { ...entry, description: passkey.name }));
    return passkeyAddedMail({ ...noticeFor(ctx, account), passkeyName: passkey.name });
  });
  return { passkey: toOwnPasskey(ctx, passkey), recoveryCodes };
};

/** Gives one of the caller's passkeys another name. Throws `NOT_FOUND`. */
const renameOwnPasskey = async (ctx: Context, input: RenamePasskeyInput): Promise<{ message: string }> => {
  const change = { userId: requireUser(ctx).id, id: input.id, name: input.name.trim() };
  if (!(await renamePasskey(ctx.db, change))) throw new AppError("NOT_FOUND");
  return { message: passkeyTexts.renamed };
};

/**
 * Removes one of the caller's passkeys, and with the last second factor the recovery codes. An email tells. Throws `NOT_FOUND`,
 * `LAST_SIGN_IN_METHOD` when nothing else would open the account, and `LAST_SECOND_FACTOR` where one is required.
 */
const removeOwnPasskey = async (ctx: Context, { id }: { id: string }): Promise<{ message: string }> => {
  await changeFactors(ctx, async (tx, account) => {
    const passkey = await removePasskey(tx, account.id, id);
    if (passkey === null) throw new AppError("NOT_FOUND");
    const hasOpened = !passkey.needsPassword && passkey.suspectAt === null;
    if (hasOpened && !(await canSignIn(ctx, tx, account.id))) throw new AppError("LAST_SIGN_IN_METHOD");
    const isLastFactor = !(await settleOwnFactors(ctx, tx, account));
    const entry = { type: "api_call", action: "Removed a passkey", severity: "high" } as const;
    await ctx.activity.record(tx, factOf(ctx, { ...entry, description: passkey.name }));
    return passkeyRemovedMail({ ...noticeFor(ctx, account), passkeyName: passkey.name, isLastFactor });
  });
  return { message: passkeyTexts.removed };
};

/** What does the operations of passkeys. */
export const passkeysOperations = implement("passkeys", passkeysContract, {
  list: (ctx) => listOwnPasskeys(ctx),
  begin: (ctx) => beginPasskey(ctx),
  add: addOwnPasskey,
  rename: renameOwnPasskey,
  remove: removeOwnPasskey,
});
