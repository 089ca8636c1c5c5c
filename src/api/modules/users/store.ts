import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { holdUser, type UserRow, userColumns } from "#api/db/user-rows.ts";
import { emailComplaint, emailKey } from "#contract/account-rules.ts";
import type { Role } from "#contract/users.ts";

export type { UserRow } from "#api/db/user-rows.ts";

/** A user who is to be added, verified from the start; `mailboxProvedAt` is set for one who followed an emailed link. */
export type NewUser = Pick<UserRow, "id" | "name" | "email" | "passwordHash" | "role"> &
  Partial<Pick<UserRow, "mailboxProvedAt">> & { now: Date };

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

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads what a caller names an account by. */
export const readHandle = (text: string): Handle => {
  if (uuid.test(text)) return { id: text.toLowerCase() };
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

/**
 * Adds a verified user; `null` when the address is taken. Call {@link removePendingRegistrations} first, in the same
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
  return row ?? null;
};

/** Ends all registrations of an address that were not verified. */
export const removePendingRegistrations = async (tx: Database, key: string): Promise<void> => {
  await tx.delete(pendingRegistrations).where(eq(pendingRegistrations.emailKey, key));
};

/**
 * Locks the rows of all enabled admins, and that of `userId`, until the transaction ends; the ids of those admins. Call
 * it first, before anything else locks a user: all are locked in one order, so that of many who take themselves or
 * others out of the list at once, each sees what those before it left.
 */
export const holdAdmins = async (tx: Database, userId: string): Promise<string[]> => {
  const isEnabledAdmin = and(eq(users.role, "admin"), isNull(users.disabledAt));
  const rows = await tx
    .select({ id: users.id, role: users.role, disabledAt: users.disabledAt })
    .from(users)
    .where(or(isEnabledAdmin, eq(users.id, userId)))
    .orderBy(asc(users.id))
    .for("no key update");
  return rows.filter(({ role, disabledAt }) => role === "admin" && disabledAt === null).map(({ id }) => id);
};

/** Names and addresses of all enabled admins. */
export const listAdmins = (db: Database): Promise<{ name: string; email: string }[]> =>
  db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(and(eq(users.role, "admin"), isNull(users.disabledAt)))
    .orderBy(asc(users.id));

/** Whether anyone has an account. */
export const hasUsers = async (db: Database): Promise<boolean> => {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
};

/** Gives a user a role. */
export const updateRole = async (tx: Database, id: string, role: Role, now: Date): Promise<void> => {
  await tx.update(users).set({ role, updatedAt: now }).where(eq(users.id, id));
};

/** Notes since when a user may not sign in; `null` lets them in again. */
export const updateDisabledAt = async (
  tx: Database,
  id: string,
  disabledAt: Date | null,
  now: Date,
): Promise<void> => {
  await tx.update(users).set({ disabledAt, updatedAt: now }).where(eq(users.id, id));
};

/** Removes a user with their sessions, known browsers and links. */
export const removeUser = async (tx: Database, id: string): Promise<void> => {
  await tx.delete(users).where(eq(users.id, id));
};
