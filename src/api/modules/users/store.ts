import { count, desc, eq, gt, ilike, max, or, sql } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import { pendingRegistrations, sessions, users } from "#api/db/schema.ts";
import { emailKey } from "#contract/account-rules.ts";
import type { User } from "#contract/users.ts";

/** A row of the users table. */
export type UserRow = typeof users.$inferSelect;

/** A user who is to be added, verified from the start. */
export type NewUser = Pick<UserRow, "id" | "name" | "email" | "passwordHash" | "role"> & { now: Date };

/** A user as the admin area lists them. */
export type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

/** Which part of the list is wanted; an empty `search` wants all. */
export type UserFilter = { search: string; limit: number; offset: number };

/** The row as the API shows it. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  googleId: row.googleId,
  githubId: row.githubId,
  emailVerified: row.emailVerifiedAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/** The user with this folded address, disabled or not, or `null`. */
export const findUserByEmailKey = async (db: Database, key: string): Promise<UserRow | null> => {
  const [row] = await db.select().from(users).where(eq(users.emailKey, key));
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
    .returning();
  return row ?? null;
};

/** Ends all registrations of an address that were not verified. */
export const removePendingRegistrations = async (tx: Database, key: string): Promise<void> => {
  await tx.delete(pendingRegistrations).where(eq(pendingRegistrations.emailKey, key));
};

/** Whether anybody has an account. */
export const hasUsers = async (db: Database): Promise<boolean> => {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
};

/** One page of the users, newest first, and how many there are in all. */
export const selectUsers = async (db: Database, { search, limit, offset }: UserFilter) => {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const wanted = search === "" ? undefined : or(ilike(users.name, pattern), ilike(users.email, pattern));
  const lastSeenAt = db
    .select({ at: max(sessions.lastUsedAt).as("at") })
    .from(sessions)
    .where(eq(sessions.userId, users.id));
  const rows = await db
    .select({ user: users, lastSeenAt: sql`(${lastSeenAt})`.mapWith(sessions.lastUsedAt) })
    .from(users)
    .where(wanted)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(users).where(wanted);
  return { rows: rows.map(toListedUser), total: counted?.total ?? 0 };
};

const toListedUser = ({ user, lastSeenAt }: { user: UserRow; lastSeenAt: Date | null }): ListedUser => ({
  ...toUser(user),
  disabled: user.disabledAt !== null,
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
});

/** How many users, admins and addresses waiting for their verification there are. */
export const selectUserCounts = async (db: Database, now: Date) => {
  const [all] = await db
    .select({
      total: count(),
      admins: sql<number>`count(*) filter (where ${eq(users.role, "admin")})`.mapWith(Number),
    })
    .from(users);
  const [waiting] = await db
    .select({ pending: sql<number>`count(distinct ${pendingRegistrations.emailKey})`.mapWith(Number) })
    .from(pendingRegistrations)
    .where(gt(pendingRegistrations.expiresAt, now));
  return { total: all?.total ?? 0, admins: all?.admins ?? 0, pending: waiting?.pending ?? 0 };
};
