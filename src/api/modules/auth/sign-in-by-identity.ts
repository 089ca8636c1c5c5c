import { factOf } from "#api/core/activity.ts";
import { toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, ProviderProfile } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { AppEvent } from "#api/core/events.ts";
import { newId } from "#api/core/ids.ts";
import { endSessionsOf, forgetDevices } from "#api/modules/sessions/index.ts";
import { removePendingRegistrations, type UserRow } from "#api/modules/users/index.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { type AccountFacts, decideLink, type LinkDecision, provenEmail } from "./decide-link.ts";
import { enqueueLinkedNotice } from "./linked-notice.ts";
import { nameFromProfile } from "./name-from-profile.ts";
import { refusal } from "./provider-failure.ts";
import {
  findIdentity,
  findOwnerId,
  handOver,
  holdAccount,
  holdHolder,
  type Identity,
  insertProviderUser,
  linkIdentity,
  metHalfway,
  touchIdentity,
} from "./provider-store.ts";

/** Somebody who comes from a provider; `issuer` is whose subject they are. */
export type Newcomer = { provider: ProviderName; issuer: string; profile: ProviderProfile };

/** Who a newcomer is. */
export const identityOf = ({ provider, issuer, profile }: Newcomer): Identity => ({
  provider,
  issuer,
  subject: profile.subject,
  email: profile.email,
});

/** A newcomer who wants to sign in; `later` and `made` take what is to be told once the transaction is committed. */
export type Arriving = Newcomer & { later: (event: AppEvent) => void; made: (userId: string) => void };

/**
 * Finds, links, takes over or makes the account of an identity, as `decideLink` says, in the caller's transaction; the
 * account's row stays locked. Throws a refusal, and `CONFLICT` when it met somebody halfway and should be tried again.
 */
export const signInByIdentity = async (ctx: Context, tx: Database, arriving: Arriving): Promise<UserRow> => {
  const { provider, profile } = arriving;
  const identity = identityOf(arriving);
  const ownerId = await findOwnerId(tx, identity);
  const known = ownerId === null ? await holdAddressee(tx, profile) : await holdAccount(tx, ownerId);
  const linked = known && (await findIdentity(tx, known.id, provider));
  const isOwner = linked?.issuer === identity.issuer && linked.subject === identity.subject;
  // One row is locked: two could be in either order. So who has lost the identity meanwhile is left for the next try.
  if (ownerId !== null && !isOwner) throw metHalfway();
  const facts = known && factsOf(known, linked?.subject ?? null);
  const decision = decideLink({ owner: isOwner ? facts : null, holder: isOwner ? null : facts }, profile);
  const user = await carryOut(ctx, tx, { ...arriving, decision, known });
  await touchIdentity(tx, identity, ctx.clock.now());
  return user;
};

const holdAddressee = async (tx: Database, profile: ProviderProfile): Promise<UserRow | null> => {
  const email = provenEmail(profile);
  return email === null ? null : holdHolder(tx, emailKey(email));
};

const factsOf = (row: UserRow, subject: string | null): AccountFacts => ({
  id: row.id,
  emailKey: row.emailKey,
  subject,
  isVerified: row.emailVerifiedAt !== null,
  isDisabled: row.disabledAt !== null,
});

type Step = Arriving & { decision: LinkDecision; known: UserRow | null };

const carryOut = async (ctx: Context, tx: Database, step: Step): Promise<UserRow> => {
  const { decision, provider, profile, known, later } = step;
  const now = ctx.clock.now();
  const identity = identityOf(step);
  const person = (email: string) => ({
    id: newId(),
    name: nameFromProfile(profile, email),
    email,
    identity,
    now,
  });
  const label = providerLabels[provider];
  // Within the transaction: until that is committed nobody knows whether it came about. The sign-in wakes the log.
  const record = (row: UserRow, action: string, severity: ActivitySeverity) =>
    ctx.activity.record(tx, factOf(ctx, { type: "api_call", action, severity, by: toUser(row) }));
  switch (decision.kind) {
    case "refuse":
      throw refusal(decision.reason);
    case "sign-in":
      if (known === null) throw new AppError("CONFLICT");
      return known;
    case "create": {
      // Registrations first: whoever touches both goes in this order.
      await removePendingRegistrations(tx, emailKey(decision.email));
      const made = await insertProviderUser(tx, person(decision.email));
      await record(made, `Registered with ${label}`, "low");
      step.made(made.id);
      return made;
    }
    case "link": {
      const linked = await linkIdentity(tx, decision.userId, identity, now);
      await record(linked, `Linked ${label} to the own account`, "medium");
      await enqueueLinkedNotice(ctx, tx, linked, provider);
      later({ type: "user-changed", userId: linked.id });
      return linked;
    }
    case "take-over": {
      await removePendingRegistrations(tx, emailKey(decision.email));
      await endSessionsOf(tx, decision.userId);
      await forgetDevices(tx, decision.userId);
      later({ type: "sessions-ended", userId: decision.userId });
      const owner = await handOver(tx, decision.userId, person(decision.email));
      await record(owner, `Took an unverified account over with ${label}`, "high");
      return owner;
    }
  }
};
