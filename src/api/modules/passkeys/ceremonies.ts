import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { Context } from "#api/core/context.ts";
import { newId, newToken } from "#api/core/ids.ts";
import { errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { passkeyTexts } from "#contract/passkeys.ts";
import { type Ceremony, insertCeremony, type Passkey, takeCeremony } from "./store.ts";

// Source: Web Authentication §6.3.3.
const challengeBytes = 32;
const userHandleBytes = 32;
// ES256, EdDSA, RS256. Source: the IANA registry of COSE algorithms.
export const algorithms = [-7, -8, -257];

/** Whom passkeys are for. Source: Web Authentication §4, "Relying Party Identifier". */
export type RelyingParty = { rpId: string; origin: string };

/** Where this installation's passkeys belong: to its own host alone, whatever a request says. Throws `CONFLICT` where there are none. */
export const relyingParty = ({
  appUrl,
  passkeyHost: rpId,
}: Pick<Context, "appUrl" | "passkeyHost">): RelyingParty => {
  if (rpId === null) throw new AppError("CONFLICT", passkeyTexts.notOffered);
  return { rpId, origin: new URL(appUrl).origin };
};

/** A challenge, and what the browser's own functions take to have it signed. */
export type BegunCeremony = { ceremony: string; options: Record<string, unknown> };

type Purpose = Ceremony["purpose"];

/** For whom a passkey is made: a user, or someone who was invited and has no account yet. */
export type NewPasskeyPurpose = "register" | "invitation";

const begin = async (
  ctx: Context,
  ceremony: Pick<Ceremony, "purpose" | "userId" | "userHandle">,
): Promise<Pick<Ceremony, "id" | "challenge">> => {
  await ctx.attempts.spend(
    placeBudgets(ctx.ip, {
      key: "passkey-ceremony:",
      most: limits.ceremoniesByIp,
      windowMs: limits.ceremoniesWindowMs,
      message: () => errorTexts.RATE_LIMITED,
    }),
  );
  const begun = { id: newId(), challenge: newToken(challengeBytes) };
  const expiresAt = new Date(ctx.clock.now().getTime() + limits.ceremonyMs);
  await insertCeremony(ctx.db, { ...ceremony, ...begun, expiresAt });
  return begun;
};

/** Begins to have one of `known` given, those of the user `userId`; without one, any passkey of this site. */
export const beginRequest = async (
  ctx: Context,
  {
    purpose,
    userId,
    known,
  }: { purpose: Exclude<Purpose, NewPasskeyPurpose>; userId: string | null; known: Passkey[] },
): Promise<BegunCeremony> => {
  const { rpId } = relyingParty(ctx);
  const { id, challenge } = await begin(ctx, { purpose, userId, userHandle: null });
  const options = {
    challenge,
    rpId,
    allowCredentials: known.map(descriptorOf),
    userVerification: "required",
    timeout: limits.ceremonyMs,
  };
  return { ceremony: id, options };
};

/** Who gets a passkey: their names, the account with the passkeys `known`, `null` without one, and who they are to the authenticator. */
type NewOwner = {
  purpose: NewPasskeyPurpose;
  userId: string | null;
  userHandle?: string;
  user: { name: string; email: string };
  known: Passkey[];
};

/** Begins to make a passkey. */
export const beginRegistration = async (
  ctx: Context,
  { purpose, userId, user, known, userHandle: handle = newToken(userHandleBytes) }: NewOwner,
): Promise<BegunCeremony> => {
  const { rpId } = relyingParty(ctx);
  const userHandle = known[0]?.userHandle ?? handle;
  const { id, challenge } = await begin(ctx, { purpose, userId, userHandle });
  const options = {
    challenge,
    rp: { id: rpId, name: ctx.settings.current.site.name },
    user: { id: userHandle, name: user.email, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    // An authenticator whose passkey is blocked gets another one.
    excludeCredentials: known.filter(({ suspectAt }) => suspectAt === null).map(descriptorOf),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
    timeout: limits.ceremonyMs,
  };
  return { ceremony: id, options };
};

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  type: "public-key",
  id: credentialId,
  transports,
});

/** Uses a challenge up. Throws `PASSKEY_REFUSED` when it has expired, was used, or is for another purpose or user. */
export const endCeremony = async (
  ctx: Context,
  wanted: Pick<Ceremony, "id" | "purpose" | "userId">,
): Promise<Ceremony> => {
  const ceremony = await takeCeremony(ctx.db, { ...wanted, now: ctx.clock.now() });
  if (ceremony === null) throw new AppError("PASSKEY_REFUSED", passkeyTexts.expired);
  return ceremony;
};
