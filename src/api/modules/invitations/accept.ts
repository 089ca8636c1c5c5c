import { factOf } from "#api/core/activity.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import { describeDevice } from "#api/core/circumstances.ts";
import { type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId } from "#api/core/ids.ts";
import { checkNewPassword, isFactorRequired, requiredFromInvitation } from "#api/core/password-policy.ts";
import { completeSignIn, type SignedIn } from "#api/modules/auth/index.ts";
import { passkeyAddedMail } from "#api/modules/mail/index.ts";
import {
  addPasskey,
  type BegunCeremony,
  beginRegistration,
  checkNewPasskey,
  type GivenPasskey,
} from "#api/modules/passkeys/index.ts";
import { noteFactorAdded, noticeFor, offersFactors } from "#api/modules/second-factors/index.ts";
import type { Browser } from "#api/modules/sessions/index.ts";
import { insertUser, removePendingRegistrations, type UserRow } from "#api/modules/users/index.ts";
import { authTexts, factorTexts, invitationTexts } from "#contract/auth-texts.ts";
import { fieldTexts } from "#contract/errors.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import type { AcceptInput, OpenInvitation } from "./contract.ts";
import { findByToken, type InvitationRow, takeInvitation } from "./store.ts";

/** What the page of an emailed link shows. Changes nothing. Throws `TOKEN_INVALID` where {@link acceptInvitation} would. */
export const checkInvitation = async (ctx: Context, input: { token: string }): Promise<OpenInvitation> => {
  const { email, name, role, inviterName: invitedBy, expiresAt } = await find(ctx, input);
  const needsSecondFactor = role === "admin" && isFactorRequired(role, ctx.settings.current.accounts);
  return {
    ...{ email, name, role, invitedBy, expiresAt: expiresAt.toISOString() },
    isPasskeyOffered: offersFactors(ctx) && ctx.passkeyHost !== null,
    needsSecondFactor,
    suggestsSecondFactor: role === "admin" && !needsSecondFactor && offersFactors(ctx),
  };
};

const find = async (ctx: Context, { token }: { token: string }): Promise<InvitationRow> => {
  const found = await findByToken(ctx.db, hashToken(token), ctx.clock.now());
  if (!found) throw new AppError("TOKEN_INVALID", invitationTexts.invalid);
  return found;
};

/**
 * Begins to make a passkey for someone who was invited, in the place of a password; nothing else is created. Throws `TOKEN_INVALID`
 * where {@link acceptInvitation} would, and `CONFLICT` where passkeys are not offered.
 */
export const beginInvitedPasskey = async (
  ctx: Context,
  { token }: { token: string },
): Promise<BegunCeremony> => {
  const { email, name } = await find(ctx, { token });
  if (!offersFactors(ctx)) throw new AppError("CONFLICT", factorTexts.notOffered);
  const owner = {
    userId: null,
    userHandle: handleFor(token),
    user: { name: name ?? email, email },
    known: [],
  };
  return beginRegistration(ctx, { purpose: "invitation", ...owner });
};

/**
 * Who someone invited is to their authenticator. The same at each try, so that a second passkey takes the place of one that no
 * account came to; and another one for each link, which binds the challenge to it.
 */
const handleFor = (token: string): string =>
  Buffer.from(hashToken(`passkey ${token}`), "hex").toString("base64url");

/** A sign-in to a new account; `recoveryCodes` came with a passkey, and are `null` with a password. */
type Accepted = SignedIn & { recoveryCodes: string[] | null };

/**
 * Creates the account of someone who was invited, with a password or a passkey, and signs them in: the link proves the address.
 * Throws `TOKEN_INVALID` for a link that is unknown, used, replaced, expired or withdrawn, `CONFLICT` when the address got an account in
 * the meantime, and a 422 for a weak password or `PASSKEY_REFUSED`, which leave the link good. Of many at the same time one succeeds.
 */
export const acceptInvitation = async (
  ctx: Context,
  input: AcceptInput & { browser: Browser },
): Promise<Accepted> => {
  // Strangers with a wrong link get no hash computed for them, and no passkey checked.
  const { email, emailKey, tokenHash } = await find(ctx, input);
  const name = input.name.trim();
  const { passwordHash, give, ...way } = await wayIn(ctx, { ...input, name, email });
  let recoveryCodes: string[] | null = null;
  const signedIn = await completeSignIn(ctx, { browser: input.browser, ...way }, async (tx) => {
    // First, as everyone does who touches registrations and users.
    await removePendingRegistrations(tx, emailKey);
    const user = await createInvited(ctx, tx, { tokenHash, name, passwordHash });
    recoveryCodes = await give(tx, user);
    return user;
  });
  ctx.activity.wake();
  ctx.mail.wake();
  ctx.happenings.tell({ name: "user.registered", userId: signedIn.user.id });
  return { ...signedIn, recoveryCodes };
};

/** How someone invited gets in: the hash of a password, or what gives the new user the passkey. */
type WayIn = {
  passwordHash: string | null;
  give: (tx: Database, user: UserRow) => Promise<string[] | null>;
} & ({ way: "password" } | { factorAt: Date });

const wayIn = async (ctx: Context, input: AcceptInput & { email: string }): Promise<WayIn> => {
  const { token, name, email, password, ceremony, response } = input;
  if (ceremony !== undefined || response !== undefined) {
    if (password !== undefined)
      throw validationError([{ path: "password", message: invitationTexts.oneWay }]);
    if (ceremony === undefined || response === undefined) {
      const path = ceremony === undefined ? "ceremony" : "response";
      throw validationError([{ path, message: fieldTexts.required }]);
    }
    return wayByPasskey(ctx, token, { ceremony, response });
  }
  if (password === undefined)
    throw validationError([{ path: "password", message: authTexts.passwordRequired }]);
  await checkNewPassword(ctx, password, { name, email });
  return { way: "password", passwordHash: await ctx.hasher.hash(password), give: async () => null };
};

const wayByPasskey = async (ctx: Context, token: string, given: GivenPasskey): Promise<WayIn> => {
  const passkey = await checkNewPasskey(ctx, { purpose: "invitation", userId: null, given });
  if (passkey.userHandle !== handleFor(token)) throw new AppError("PASSKEY_REFUSED", passkeyTexts.expired);
  const now = passkey.createdAt;
  return {
    passwordHash: null,
    factorAt: now,
    give: async (tx, user) => {
      const passkeyName = describeDevice(ctx.userAgent);
      await addPasskey(tx, { ...passkey, userId: user.id, name: passkeyName });
      await ctx.mail.enqueue(tx, {
        to: user.email,
        ...passkeyAddedMail({ ...noticeFor(ctx, user), passkeyName }),
      });
      return noteFactorAdded(tx, user, now);
    },
  };
};

type Invited = Pick<InvitationRow, "tokenHash"> & Pick<UserRow, "name" | "passwordHash">;

const createInvited = async (
  ctx: Context,
  tx: Database,
  { tokenHash, name, passwordHash }: Invited,
): Promise<UserRow> => {
  const now = ctx.clock.now();
  const invitation = await takeInvitation(tx, { tokenHash }, now);
  if (!invitation) throw new AppError("TOKEN_INVALID", invitationTexts.invalid);
  const { email, role, inviterName } = invitation;
  await runBefore(ctx, tx, "user.register", { email, name });
  const person = { id: newId(), name, email, passwordHash, role, mailboxProvedAt: now, now };
  const factorRequiredFrom = requiredFromInvitation(role, ctx.settings.current.accounts, now);
  const user = await insertUser(tx, { ...person, factorRequiredFrom });
  if (!user) throw new AppError("CONFLICT", authTexts.emailTaken);
  const entry = {
    type: "api_call",
    action: "Accepted an invitation",
    description: `Of ${inviterName ?? "the operator"}, with a ${passwordHash === null ? "passkey" : "password"}`,
    severity: role === "admin" ? "high" : "medium",
    userEmail: email,
    after: { email, role },
  } as const;
  await ctx.activity.record(tx, factOf(ctx, entry));
  return user;
};
