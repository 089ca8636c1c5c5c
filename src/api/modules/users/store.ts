import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Context, IdentityProvider } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { isId } from "#api/core/ids.ts";
import {
  emailChanges,
  identities,
  invitations,
  passkeys,
  pendingRegistrations,
  users,
} from "#api/db/schema.ts";
import { holdUser, type UserRow, userColumns } from "#api/db/user-rows.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";
import { limits } from "#contract/limits.ts";
import type { Role } from "#contract/users.ts";

export type { UserRow } from "#api/db/user-rows.ts";

/** A user who is to be added, verified from the start; `mailboxProvedAt` is set for one who followed an emailed link. */
export type NewUser = Pick<UserRow, "id" | "name" | "email" | "passwordHash" | "role"> &
  Partial<Pick<UserRow, "mailboxProvedAt" | "factorRequiredFrom">> & { now: Date };

/** The user with this folded address, disabled or not, or `null`. */
export const findUserByEmailKey = async (db: Database, key: string): Promise<UserRow | null> => {
  const [row] = await db.select(userColumns).from(users).where(eq(users.emailKey, key));
  return row ?? null;
};

/** The user with this id, locked until the transaction ends; `null` when they are gone or disabled. */
export const holdEnabledUser = (tx: Database, id: string): Promise<UserRow | null> =>
  holdUser(tx, and(eq(users.id, id), isNull(users.disabledAt)));

/** Where a text names a row: its id, or the folded address; `null` when it can be neither. */
export type Handle = { id: string } | { key: string } | null;

/** Reads what a caller names an account by. */
export const readHandle = (text: string): Handle => {
  if (isId(text)) return { id: text.toLowerCase() };
  return emailComplaint(text) === null ? { key: emailKey(text) } : null;
};

/** The user with this id or address, disabled or not, or `null`. */
export const findUser = async (db: Database, text: string): Promise<UserRow | null> => {
  const handle = readHandle(text);
  if (handle === null) return null;
  if ("key" in handle) return findUserByEmailKey(db, handle.key);
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, handle.id));
  return row ?? null;
};

/** Whether a folded address is kept for another user than `userId`, who gave it up within the last 30 days and may take it back. */
export const isReserved = async (
  db: Database,
  { key, userId, now }: { key: string; userId: string; now: Date },
): Promise<boolean> => {
  const rows = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.oldKey, key), ne(emailChanges.userId, userId), isKept(now)))
    .limit(1);
  return rows.length > 0;
};

const isKept = (now: Date): SQL =>
  gt(emailChanges.changedAt, new Date(now.getTime() - limits.emailReservedMs));

/** The folded addresses among these that no one new can have an account with: a user has them or gave them up, see {@link isReserved}. */
export const selectTakenKeys = async (
  db: Database,
  keys: readonly string[],
  now: Date,
): Promise<string[]> => {
  const owned = db
    .select({ key: users.emailKey })
    .from(users)
    .where(inArray(users.emailKey, [...keys]));
  const reserved = db
    .select({ key: emailChanges.oldKey })
    .from(emailChanges)
    .where(and(inArray(emailChanges.oldKey, [...keys]), isKept(now)));
  return (await owned.union(reserved)).map(({ key }) => key);
};

/**
 * Adds a verified user; `null` when the address is taken or reserved. Call {@link removePendingRegistrations} first, in the same
 * transaction: whoever locks both goes in that order, or two would wait for each other.
 */
export const insertUser = async (tx: Database, { now, ...person }: NewUser): Promise<UserRow | null> => {
  const [row] = await tx
    .insert(users)
    .values({
      ...person,
      emailKey: emailKey(person.email),
      emailVerifiedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: users.emailKey })
    .returning(userColumns);
  // Only now: the row may have waited for a change that gave the address up.
  if (row && (await isReserved(tx, { key: row.emailKey, userId: row.id, now }))) {
    await removeUser(tx, row.id, now);
    return null;
  }
  return row ?? null;
};

/** Ends all registrations of an address that were not verified. */
export const removePendingRegistrations = async (tx: Database, key: string): Promise<void> => {
  await tx.delete(pendingRegistrations).where(eq(pendingRegistrations.emailKey, key));
};

/** What an installation offers to sign in with. */
export type SignInOffer = Pick<Context, "passkeyHost"> & {
  providers: ReadonlyMap<string, Pick<IdentityProvider, "issuer">>;
};

const isEnabledAdmin = and(eq(users.role, "admin"), isNull(users.disabledAt));

/** Whether an identity is at the issuer that an offered provider has now. */
const isOffered = ({ providers }: Pick<SignInOffer, "providers">): SQL =>
  or(
    ...[...providers.entries()].map(([id, { issuer }]) =>
      and(eq(identities.provider, id), eq(identities.issuer, issuer)),
    ),
  ) ?? sql`false`;

/** The ids of the providers with which a user can sign in here. */
export const selectUsableProviders = async (
  offer: Pick<SignInOffer, "providers">,
  db: Database,
  userId: string,
): Promise<string[]> => {
  const rows = await db
    .select({ provider: identities.provider })
    .from(identities)
    .where(and(eq(identities.userId, userId), isOffered(offer)))
    .orderBy(asc(identities.provider));
  return rows.map(({ provider }) => provider);
};

/**
 * Whether something opens an account here: a password, an identity at the issuer that an offered provider has now, or a passkey that
 * signs in on its own. The provider `except` doesn't count.
 */
export const isOpened = (offer: SignInOffer, except?: SQL): SQL | undefined => {
  const isOther = except === undefined ? undefined : ne(identities.provider, except);
  const isUsable = and(eq(passkeys.needsPassword, false), isNull(passkeys.suspectAt));
  const owners = (table: typeof identities | typeof passkeys, which: SQL | undefined) =>
    sql`exists (select from ${table} where ${table.userId} = ${users}.id and ${which})`;
  return or(
    isNotNull(users.passwordHash),
    owners(identities, and(isOffered(offer), isOther)),
    offer.passkeyHost === null
      ? undefined
      : owners(passkeys, and(eq(passkeys.rpId, offer.passkeyHost), isUsable)),
  );
};

/** Whether something opens the account of a user. */
export const canSignIn = async (offer: SignInOffer, db: Database, id: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, id), isOpened(offer)))) > 0;

/**
 * Locks the rows of all enabled admins, and that of `userId`, until the transaction ends; the ids of those admins who can sign in. Call
 * it first, before anything else locks a user: all are locked in one order, so that of many who take themselves or
 * others out of the list at once, each sees what those before it left.
 */
export const holdAdmins = async (offer: SignInOffer, tx: Database, userId: string): Promise<string[]> => {
  await lockUsers(tx, or(isEnabledAdmin, eq(users.id, userId)));
  // Another statement: one that waited for locks sees other tables as they were before.
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isEnabledAdmin, isOpened(offer)));
  return rows.map(({ id }) => id);
};

const lockUsers = (tx: Database, which: SQL | undefined) =>
  tx.select({ id: users.id }).from(users).where(which).orderBy(asc(users.id)).for("no key update");

/** Locks all enabled admins until the transaction ends; whether a change of the offer leaves one who can sign in, if there was one. */
export const keepsAdmin = async (
  tx: Database,
  { before, after }: { before: SignInOffer; after: SignInOffer },
): Promise<boolean> => {
  await lockUsers(tx, isEnabledAdmin);
  const countOpened = (offer: SignInOffer) => tx.$count(users, and(isEnabledAdmin, isOpened(offer)));
  return (await countOpened(after)) > 0 || (await countOpened(before)) === 0;
};

/** Whether anyone but this user is an enabled admin who can sign in. */
export const hasOtherAdmin = async (offer: SignInOffer, db: Database, id: string): Promise<boolean> => {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isEnabledAdmin, isOpened(offer), ne(users.id, id)))
    .limit(1);
  return rows.length > 0;
};

/** Names and addresses of all enabled admins. */
export const listAdmins = (db: Database): Promise<{ name: string; email: string }[]> =>
  db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(isEnabledAdmin)
    .orderBy(asc(users.id));

/** Whether anyone has an account. */
export const hasUsers = async (db: Database): Promise<boolean> => {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
};

/** The `roleSource` of an admin who was made a user here: no provider has this id. */
export const demotedHere = "@here";

/**
 * Gives a user a role; `source` is the provider that gives it, `null` or {@link demotedHere} for someone here. With an admin's role
 * their invitations of admins end.
 */
export const updateRole = async (
  tx: Database,
  id: string,
  { role, source, now }: { role: Role; source: string | null; now: Date },
): Promise<void> => {
  // A second factor may be required of admins alone: new ones get the time to set it up.
  const grace = role === "admin" ? { factorRequiredFrom: now } : {};
  await tx
    .update(users)
    .set({ role, roleSource: source, ...grace, updatedAt: now })
    .where(eq(users.id, id));
  if (role !== "admin") await withdrawAdminInvitations(tx, id, now);
};

/** What an admin let others become must not outlive the right to. The admin's row must be held. */
const withdrawAdminInvitations = async (tx: Database, invitedBy: string, now: Date): Promise<void> => {
  const { acceptedAt, withdrawnAt, role } = invitations;
  await tx
    .update(invitations)
    .set({ withdrawnAt: now })
    .where(
      and(eq(invitations.invitedBy, invitedBy), eq(role, "admin"), isNull(acceptedAt), isNull(withdrawnAt)),
    );
};

/** Lets a user keep the role that a provider gave them, whatever it says from now on. */
export const keepRole = async (tx: Database, id: string, now: Date): Promise<void> => {
  await tx.update(users).set({ roleSource: null, updatedAt: now }).where(eq(users.id, id));
};

/** Begins anew the time that a user has to set up a required second factor. */
export const updateFactorRequiredFrom = async (tx: Database, id: string, from: Date): Promise<void> => {
  await tx.update(users).set({ factorRequiredFrom: from }).where(eq(users.id, id));
};

/** Notes since when a user may not sign in, and ends their invitations of admins; `null` lets them in again. */
export const updateDisabledAt = async (
  tx: Database,
  id: string,
  disabledAt: Date | null,
  now: Date,
): Promise<void> => {
  await tx.update(users).set({ disabledAt, updatedAt: now }).where(eq(users.id, id));
  if (disabledAt !== null) await withdrawAdminInvitations(tx, id, now);
};

/** Removes a user with their sessions, known browsers and links, and ends their invitations of admins. */
export const removeUser = async (tx: Database, id: string, now: Date): Promise<void> => {
  await withdrawAdminInvitations(tx, id, now);
  await tx.delete(users).where(eq(users.id, id));
};
