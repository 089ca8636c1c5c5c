import { and, count, eq, gt, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { toUser } from "#api/core/to-user.ts";
import type { Database } from "#api/db/database.ts";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { Role, SortOrder, User, UserSort } from "#contract/users.ts";
import type { UserRow } from "./store.ts";

/** A user as the admin area lists them. */
export type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

/** Which users are wanted; an empty `search` wants all. */
export type UserFilter = {
  search: string;
  role?: Role | undefined;
  status?: "active" | "disabled" | undefined;
  sort: UserSort;
  order: SortOrder;
  limit: number;
  offset: number;
};

/** A pattern for `ilike` that finds the very text, wherever it stands. */
export const patternOf = (search: string): string => `%${search.replace(/[\\%_]/g, "\\$&")}%`;

const sortedBy = {
  created: users.createdAt,
  name: sql`lower(${users.name})`,
  email: users.emailKey,
  lastSeen: users.lastSeenAt,
} satisfies Record<UserSort, PgColumn | SQL>;

// Who was never seen counts as seen first of all. The index of the newest has its nulls there too.
const directed = (by: PgColumn | SQL, order: SortOrder): SQL =>
  order === "asc" ? sql`${by} asc nulls first` : sql`${by} desc nulls last`;

/** One page of the users in the order asked for, and how many there are in all. */
export const selectUsers = async (db: Database, filter: UserFilter) => {
  const { search, role, status, sort, order, limit, offset } = filter;
  const pattern = patternOf(search);
  const wanted = and(
    search === "" ? undefined : or(ilike(users.name, pattern), ilike(users.email, pattern)),
    role === undefined ? undefined : eq(users.role, role),
    status === "active" ? isNull(users.disabledAt) : undefined,
    status === "disabled" ? isNotNull(users.disabledAt) : undefined,
  );
  const rows = await db
    .select(userColumns)
    .from(users)
    .where(wanted)
    .orderBy(directed(sortedBy[sort], order), directed(users.id, order))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(users).where(wanted);
  return { rows: rows.map(toListedUser), total: counted?.total ?? 0 };
};

/** A user with their state and whether they have a password, or `null`. */
export const selectListedUser = async (db: Database, id: string) => {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row ? { ...toListedUser(row), hasPassword: row.passwordHash !== null } : null;
};

const toListedUser = (user: UserRow): ListedUser => ({
  ...toUser(user),
  disabled: user.disabledAt !== null,
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
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
