import { type AttributedEntry, factOf, noteActivity } from "#api/core/activity.ts";
import { linkedProviders, providerLabel, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { type Context, type ProviderProfile, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { AppEvent } from "#api/core/events.ts";
import { hashToken, newId, newToken } from "#api/core/ids.ts";
import { requiredFromInvitation } from "#api/core/password-policy.ts";
import type { ProviderRules } from "#api/core/providers.ts";
import { takeInvitation } from "#api/modules/invitations/index.ts";
import { providerLinkedMail } from "#api/modules/mail/index.ts";
import { endSessionsOf, forgetDevices, holdSession } from "#api/modules/sessions/index.ts";
import { revokeTokensOf } from "#api/modules/tokens/index.ts";
import {
  demotedHere,
  holdAdmins,
  mailRole,
  removePendingRegistrations,
  type UserRow,
  updateRole,
} from "#api/modules/users/index.ts";
import { emailComplaint, emailKey, isOfDomain, nameComplaint } from "#contract/account-rules.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { limits } from "#contract/limits.ts";
import type { Role } from "#contract/users.ts";
import { type Asker, onlyByOwner, refusal } from "./oauth-state.ts";
import {
  findAccount,
  findIdentity,
  findOwnerId,
  handOver,
  holdAccount,
  holdHolder,
  type Identity,
  insertProviderUser,
  keepLinkUndo,
  linkIdentity,
  metHalfway,
  type ProviderUser,
  touchIdentity,
} from "./provider-store.ts";
import { requireOpenRegistration } from "./registration.ts";

/** Someone who comes from a provider; `issuer` is whose subject they are. */
export type Newcomer = { provider: string; issuer: string; rules: ProviderRules; profile: ProviderProfile };

/** Who a newcomer is. */
export const identityOf = ({ provider, issuer, profile }: Omit<Newcomer, "rules">): Identity => ({
  provider,
  issuer,
  subject: profile.subject,
  email: profile.email,
});

/** A newcomer who wants to sign in; `later` and `made` take what is to be told once the transaction is committed. */
type Arriving = Newcomer & { later: (event: AppEvent) => void; made: (userId: string) => void };

/**
 * Finds, links, takes over or makes the account of an identity, as `decideLink` says, in the caller's transaction; the
 * account's row stays locked. Throws a refusal, `REGISTRATION_CLOSED` for a new account that the settings don't allow, and `CONFLICT` when it met someone halfway and should be tried again.
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
  const decision = decideLink({ owner: isOwner ? facts : null, holder: isOwner ? null : facts }, arriving);
  const user = await carryOut(ctx, tx, { ...arriving, decision, known });
  const hasFactor = profile.hasFactor === true;
  await touchIdentity(tx, { ...identity, hasFactor, now: ctx.clock.now() });
  // What may be done with the user's API tokens may depend on it.
  if (hasFactor !== ((linked?.factorAt ?? null) !== null))
    arriving.later({ type: "user-changed", userId: user.id });
  return grantRole(ctx, tx, { user, newcomer: arriving, later: arriving.later });
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
  isAdmin: row.role === "admin",
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
  const label = providerLabel(ctx, provider);
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
      const made = await createUser(ctx, tx, person(decision.email));
      const isAdmin = made.role === "admin";
      const action = `${isAdmin ? "Registered as an invited administrator" : "Registered"} with ${label}`;
      await record(made, action, isAdmin ? "high" : "low");
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

/** Creates a user whom an invitation, which it uses up, or the settings let in. Throws `REGISTRATION_CLOSED`. */
const createUser = async (ctx: Context, tx: Database, person: ProviderUser): Promise<UserRow> => {
  const key = emailKey(person.email);
  // Registrations first: whoever touches both goes in this order.
  await removePendingRegistrations(tx, key);
  const invitation = await takeInvitation(tx, { emailKey: key }, person.now);
  if (invitation === null) requireOpenRegistration(ctx, person.email);
  await runBefore(ctx, tx, "user.register", { email: person.email, name: person.name });
  const role = invitation?.role ?? "user";
  const factorRequiredFrom = requiredFromInvitation(role, ctx.settings.current.accounts, person.now);
  return insertProviderUser(tx, { ...person, role, factorRequiredFrom });
};

/** What counts of an account; `subject` is its identity at the provider in question, if it has one. */
type AccountFacts = {
  id: string;
  emailKey: string;
  subject: string | null;
  isVerified: boolean;
  isDisabled: boolean;
  hasSecondFactor: boolean;
  isAdmin: boolean;
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
 * unverified one, which anyone may have made, is taken over by the address's real owner. An admin's account and one with a second
 * factor are linked only by their owners, who are signed in. Where there is no account, the provider's rules say who gets one.
 */
const decideLink = (
  { owner, holder }: LocalFacts,
  { profile, rules }: Pick<Newcomer, "profile" | "rules">,
): LinkDecision => {
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
  if (holder === null) return mayCreate(rules, email);
  if (holder.isDisabled) return refuse("the account is disabled");
  if (!holder.isVerified) return { kind: "take-over", userId: holder.id, email };
  if (holder.subject !== null) return refuse("the account is linked to another identity of this provider");
  if (holder.hasSecondFactor || holder.isAdmin) return refuse(onlyByOwner);
  return { kind: "link", userId: holder.id };
};

const mayCreate = ({ maySignUp, signUpDomains }: ProviderRules, email: string): LinkDecision => {
  if (!maySignUp) return refuse("the provider creates no accounts");
  return signUpDomains === null || isOfDomain(email, signUpDomains)
    ? { kind: "create", email }
    : refuse("the provider creates no accounts for this domain");
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
  { userId, sessionHash }: Asker,
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
    action: `Linked ${providerLabel(ctx, identity.provider)} to their own account`,
    severity: "medium",
  });
  ctx.events.publish({ type: "user-changed", userId });
  ctx.mail.wake();
};

/** Emails the owner of an account, in the transaction that links it, that a provider opens it from now on. */
const enqueueLinkedNotice = async (
  ctx: Context,
  tx: Database,
  account: UserRow,
  provider: string,
): Promise<void> => {
  const token = newToken(limits.mailedTokenBytes);
  await keepLinkUndo(tx, { userId: account.id, provider, undoHash: hashToken(token) });
  const link = `${ctx.appUrl}/unlink?token=${token}`;
  const notice = {
    name: account.name,
    provider: providerLabel(ctx, provider),
    otherWaysIn: otherWaysIn(ctx, account, provider),
    link,
  };
  await ctx.mail.enqueue(tx, { to: account.email, link, ...providerLinkedMail(notice) });
};

const otherWaysIn = (ctx: Context, account: UserRow, added: string): string[] => {
  const others = linkedProviders(account).filter((name) => name !== added);
  const password = account.passwordHash === null ? [] : ["your password"];
  return [...password, ...others.map((name) => providerLabel(ctx, name))];
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

/** The role that the groups of a newcomer give; `null` where the provider has no say in it. */
const roleByGroups = ({ rules, profile: { groups = [] } }: Newcomer): Role | null => {
  if (rules.groupRoles === null) return null;
  const given = rules.groupRoles.filter(({ group }) => groups.includes(group));
  return given.some(({ role }) => role === "admin") ? "admin" : "user";
};

/**
 * Makes a user an admin if their groups say so, in the transaction that signs them in; other sessions end, so that none outlives
 * the rights that it began with. Whom an admin made a user here stays one. The user's row must be held.
 */
const grantRole = async (
  ctx: Context,
  tx: Database,
  { user, newcomer, later }: { user: UserRow; newcomer: Newcomer; later: (event: AppEvent) => void },
): Promise<UserRow> => {
  if (user.role === "admin" || user.roleSource === demotedHere || roleByGroups(newcomer) !== "admin")
    return user;
  const { provider } = newcomer;
  await updateRole(tx, user.id, { role: "admin", source: provider, now: ctx.clock.now() });
  await endSessionsOf(tx, user.id);
  const promoted: UserRow = { ...user, role: "admin", roleSource: provider };
  await mailRole(ctx, tx, promoted);
  const action = `Became an administrator by a group at ${providerLabel(ctx, provider)}`;
  await ctx.activity.record(
    tx,
    factOf(ctx, { type: "admin_action", action, severity: "high", by: toUser(promoted) }),
  );
  later({ type: "user-changed", userId: user.id });
  later({ type: "sessions-ended", userId: user.id });
  return promoted;
};

/**
 * Takes the role of an admin from a newcomer who has it by this provider and is in no group anymore that gives it; their sessions
 * and API tokens end. The last admin stays one, and the log says so. A transaction of its own, before the sign-in: all admins are
 * locked before any other user is.
 */
export const withdrawRole = async (ctx: Context, newcomer: Newcomer): Promise<void> => {
  if (roleByGroups(newcomer) !== "user") return;
  const { issuer, profile, provider } = newcomer;
  const userId = await findOwnerId(ctx.db, { issuer, subject: profile.subject });
  if (userId === null || !isAdminBy(provider, await findAccount(ctx.db, userId))) return;
  const isWithdrawn = await ctx.db.transaction(async (tx) => {
    const admins = await holdAdmins(ctx, tx, userId);
    const user = await findAccount(tx, userId);
    if (!isAdminBy(provider, user)) return false;
    const isLast = admins.every((id) => id === userId);
    if (!isLast) {
      const now = ctx.clock.now();
      await updateRole(tx, userId, { role: "user", source: null, now });
      await endSessionsOf(tx, userId);
      await revokeTokensOf(tx, userId, now);
      await mailRole(ctx, tx, { ...user, role: "user" });
    }
    await ctx.activity.record(tx, factOf(ctx, withdrawal(ctx, { user, provider, isLast })));
    return !isLast;
  });
  ctx.activity.wake();
  if (!isWithdrawn) return;
  ctx.mail.wake();
  ctx.events.publish({ type: "user-changed", userId });
  ctx.events.publish({ type: "sessions-ended", userId });
};

const isAdminBy = (provider: string, user: UserRow | null): user is UserRow =>
  user?.role === "admin" && user.roleSource === provider;

type Withdrawal = { user: UserRow; provider: string; isLast: boolean };

const withdrawal = (ctx: Context, { user, provider, isLast }: Withdrawal): AttributedEntry => ({
  type: "admin_action",
  action: `Lost the group at ${providerLabel(ctx, provider)} that makes an administrator`,
  description: isLast ? "Stays one, as the only administrator" : "Is a user from now on",
  severity: isLast ? "critical" : "high",
  by: toUser(user),
});
