import { factOf, noteActivity } from "#api/core/activity.ts";
import { accountLink, linkedProviders, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, ProviderProfile } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { AppEvent } from "#api/core/events.ts";
import { newId } from "#api/core/ids.ts";
import { providerLinkedMail } from "#api/modules/mail/index.ts";
import { endSessionsOf, forgetDevices, holdSession } from "#api/modules/sessions/index.ts";
import { removePendingRegistrations, type UserRow } from "#api/modules/users/index.ts";
import { emailComplaint, emailKey, nameComplaint } from "#contract/account-rules.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { type LinkTarget, refusal } from "./oauth-state.ts";
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

/** Someone who comes from a provider; `issuer` is whose subject they are. */
export type Newcomer = { provider: ProviderName; issuer: string; profile: ProviderProfile };

/** Who a newcomer is. */
export const identityOf = ({ provider, issuer, profile }: Newcomer): Identity => ({
  provider,
  issuer,
  subject: profile.subject,
  email: profile.email,
});

/** A newcomer who wants to sign in; `later` and `made` take what is to be told once the transaction is committed. */
type Arriving = Newcomer & { later: (event: AppEvent) => void; made: (userId: string) => void };

/**
 * Finds, links, takes over or makes the account of an identity, as `decideLink` says, in the caller's transaction; the
 * account's row stays locked. Throws a refusal, and `CONFLICT` when it met someone halfway and should be tried again.
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
  hasSecondFactor: row.secondFactorAt !== null,
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
  // Within the transaction: until that is committed no one knows whether it came about. The sign-in wakes the log.
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
      await record(linked, `Linked ${label} to their own account`, "medium");
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
      await record(owner, `Took over an unverified account with ${label}`, "high");
      return owner;
    }
  }
};

/** What counts of an account; `subject` is its identity at the provider in question, if it has one. */
type AccountFacts = {
  id: string;
  emailKey: string;
  subject: string | null;
  isVerified: boolean;
  isDisabled: boolean;
  hasSecondFactor: boolean;
};

/** The account that has the identity, and the one that has the address; either may be missing. */
type LocalFacts = { owner: AccountFacts | null; holder: AccountFacts | null };

/** What becomes of a social sign-in; `reason` is for the log. */
type LinkDecision =
  | { kind: "sign-in"; userId: string }
  | { kind: "link"; userId: string }
  | { kind: "take-over"; userId: string; email: string }
  | { kind: "create"; email: string }
  | { kind: "refuse"; reason: string };

/**
 * Whom an identity signs in. One that is known signs its owner in, whatever its address is by now. An unknown one needs
 * an address that the provider vouches for: it is linked to the account of that address if that is verified too; an
 * unverified one, which anyone may have made, is taken over by the address's real owner. An account with a second factor is
 * linked only by its owner, who is signed in.
 */
const decideLink = ({ owner, holder }: LocalFacts, profile: ProviderProfile): LinkDecision => {
  const email = provenEmail(profile);
  if (owner) {
    if (owner.isDisabled) return refuse("the account is disabled");
    const isProven = email !== null && emailKey(email) === owner.emailKey;
    return !owner.isVerified && isProven
      ? { kind: "take-over", userId: owner.id, email }
      : { kind: "sign-in", userId: owner.id };
  }
  if (profile.email === null) return refuse("the provider gives no email address");
  if (!profile.isEmailVerified) return refuse("the provider has not verified the email address");
  if (email === null) return refuse("the email address is not valid for an account");
  if (holder === null) return { kind: "create", email };
  if (holder.isDisabled) return refuse("the account is disabled");
  if (!holder.isVerified) return { kind: "take-over", userId: holder.id, email };
  if (holder.subject !== null) return refuse("the account is linked to another identity of this provider");
  if (holder.hasSecondFactor)
    return refuse("the account has a second factor, so only its owner links providers");
  return { kind: "link", userId: holder.id };
};

/** The address that the provider vouches for, when an account can have it; `null` otherwise. */
const provenEmail = ({ email, isEmailVerified }: ProviderProfile): string | null =>
  email !== null && isEmailVerified && emailComplaint(email) === null ? email.trim() : null;

const refuse = (reason: string): LinkDecision => ({ kind: "refuse", reason });

/**
 * Links an identity to a user who asked for it in a session that still continues. Linking what is linked already changes
 * nothing. Throws a refusal when the session has ended or the user has another identity of this provider, and `CONFLICT`
 * when the identity is another user's.
 */
export const linkIdentityTo = async (
  ctx: Context,
  { userId, sessionHash }: LinkTarget,
  identity: Identity,
): Promise<void> => {
  const isLinked = await ctx.db.transaction(async (tx) => {
    const user = await holdAccount(tx, userId);
    if (user === null || user.disabledAt !== null) throw refusal("the account is deleted or disabled");
    // It may have ended while the provider was asked: a new password, for one, must not be followed by a new way in.
    if (!(await holdSession(tx, { userId, tokenHash: sessionHash, now: ctx.clock.now() })))
      throw refusal("the session in which linking was asked for has ended");
    const present = await findIdentity(tx, userId, identity.provider);
    if (present?.issuer === identity.issuer && present.subject === identity.subject) return false;
    if (present !== null) throw refusal("the account is linked to another identity of this provider");
    const linked = await linkIdentity(tx, userId, identity, ctx.clock.now());
    await enqueueLinkedNotice(ctx, tx, linked, identity.provider);
    return true;
  });
  if (!isLinked) return;
  noteActivity(ctx, {
    type: "api_call",
    action: `Linked ${providerLabels[identity.provider]} to their own account`,
    severity: "medium",
  });
  ctx.events.publish({ type: "user-changed", userId });
  ctx.mail.wake();
};

/** Emails the owner of an account, in the transaction that links it, that a provider opens it from now on. */
const enqueueLinkedNotice = (
  ctx: Context,
  tx: Database,
  account: UserRow,
  provider: ProviderName,
): Promise<void> => {
  const notice = {
    name: account.name,
    provider: providerLabels[provider],
    otherWaysIn: otherWaysIn(account, provider),
    accountLink: accountLink(ctx),
  };
  return ctx.mail.enqueue(tx, { to: account.email, ...providerLinkedMail(notice) });
};

const otherWaysIn = (account: UserRow, added: ProviderName): string[] => {
  const others = linkedProviders(account).filter((name) => name !== added);
  const password = account.passwordHash === null ? [] : ["your password"];
  return [...password, ...others.map((name) => providerLabels[name])];
};

// What the rule for names refuses, and what ends or bends a line.
const unshowable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+/gu;

/** A name that the rules for names allow: the provider's, if need be trimmed, else the part of `email` before its `@`. */
export const nameFromProfile = ({ name }: ProviderProfile, email: string): string => {
  const given = name?.trim() ?? "";
  const candidates = [given, tidy(given), tidy(email.slice(0, email.lastIndexOf("@")))];
  return (
    candidates.find((candidate) => nameComplaint(candidate) === null) ?? email.slice(0, limits.nameLength)
  );
};

const tidy = (name: string): string =>
  [
    ...name
      .slice(0, 4 * limits.nameLength)
      .replace(unshowable, " ")
      .replace(/\s+/g, " ")
      .trim(),
  ]
    .slice(0, limits.nameLength)
    .join("")
    .trim();
