import { and, count, desc, eq, gt, ilike, isNotNull, isNull, max, or, sql } from "drizzle-orm";
import { toUser } from "#api/core/to-user.ts";
import type { Database } from "#api/db/database.ts";
import { knownDevices, pendingRegistrations, sessions, users } from "#api/db/schema.ts";
import type { Role, User } from "#contract/users.ts";
import type { UserRow } from "./store.ts";

/** A user as the admin area lists them. */
export type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

/** Which users are wanted; an empty `search` wants all. */
export type UserFilter = {
  search: string;
  role?: Role | undefined;
  status?: "active" | "disabled" | undefined;
  limit: number;
  offset: number;
};

/** A pattern for `ilike` that finds the very text, wherever it stands. */
export const patternOf = (search: string): string => `%${search.replace(/[\\%_]/g, "\\$&")}%`;

/** One page of the users, newest first, and how many there are in all. */
export const selectUsers = async (db: Database, { search, role, status, limit, offset }: UserFilter) => {
  const pattern = patternOf(search);
  const wanted = and(
    search === "" ? undefined : or(ilike(users.name, pattern), ilike(users.email, pattern)),
    role === undefined ? undefined : eq(users.role, role),
    status === "active" ? isNull(users.disabledAt) : undefined,
    status === "disabled" ? isNotNull(users.disabledAt) : undefined,
  );
  const rows = await listed(db)
    .where(wanted)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(users).where(wanted);
  return { rows: rows.map(toListedUser), total: counted?.total ?? 0 };
};

/** A user with their state and whether they have a password, or `null`. */
export const selectListedUser = async (db: Database, id: string) => {
  const [row] = await listed(db).where(eq(users.id, id));
  return row ? { ...toListedUser(row), hasPassword: row.user.passwordHash !== null } : null;
};

// Sessions that were ended leave nothing to see; a browser that is remembered still tells of the last sign-in.
const listed = (db: Database) => {
  const inSession = db
    .select({ at: max(sessions.lastUsedAt).as("at") })
    .from(sessions)
    .where(eq(sessions.userId, users.id));
  const atSignIn = db
    .select({ at: max(knownDevices.lastUsedAt).as("at") })
    .from(knownDevices)
    .where(eq(knownDevices.userId, users.id));
  const lastSeenAt = sql`greatest((${inSession}), (${atSignIn}))`.mapWith(sessions.lastUsedAt);
  return db.select({ user: users, lastSeenAt }).from(users).$dynamic();
};

const toListedUser = ({ user, lastSeenAt }: { user: UserRow; lastSeenAt: Date | null }): ListedUser => ({
  ...toUser(user),
  disabled: user.disabledAt !== null,
  lastSeenAt: lastSeenAt?.toISOString() ?? null,
});

/** How many admins may sign in. */
export const countEnabledAdmins = async (db: Database): Promise<number> => {
  const [counted] = await db
    .select({ total: count() })
    .from(users)
    .where(and(eq(users.role, "admin"), isNull(users.disabledAt)));
  return counted?.total ?? 0;
};

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
