import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { toUser } from "#api/core/actor.ts";
import type { Database } from "#api/core/database.ts";
import {
  type Counted,
  countFound,
  directed,
  holds,
  nearerEnd,
  readKindCounts,
  sumKindCounts,
} from "#api/db/long-lists.ts";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { Role, SortOrder, UserSort } from "#contract/users.ts";
import type { ListedUser } from "./contract.ts";
import type { UserRow } from "./store.ts";

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

const sortedBy = {
  created: users.createdAt,
  name: sql`lower(${users.name})`,
  email: users.emailKey,
  lastSeen: users.lastSeenAt,
} satisfies Record<UserSort, PgColumn | SQL>;

/** One page of the users in the order asked for, and how many there are in all. */
export const selectUsers = async (
  db: Database,
  filter: UserFilter,
): Promise<Counted & { rows: ListedUser[] }> => {
  const { search, role, status, sort, order } = filter;
  const wanted = and(
    search === "" ? undefined : holds("users", search),
    role === undefined ? undefined : eq(users.role, role),
    status === "active" ? isNull(users.disabledAt) : undefined,
    status === "disabled" ? isNotNull(users.disabledAt) : undefined,
  );
  const counted = await (search === "" ? countKinds(db, filter) : countFound(db, users, wanted));
  const { limit, offset, isFromEnd } = nearerEnd(filter, counted);
  const ordered = (by: SortOrder) => [directed(sortedBy[sort], by), directed(users.id, by)];
  // Found by an index alone, whatever lies before it; only then are its rows read.
  const page = db
    .select({ id: users.id })
    .from(users)
    .where(wanted)
    .orderBy(...ordered(isFromEnd ? opposite[order] : order))
    .limit(limit)
    .offset(offset)
    .as("page");
  const rows = await db
    .select(userColumns)
    .from(users)
    .innerJoin(page, eq(users.id, page.id))
    .orderBy(...ordered(order));
  return { ...counted, rows: rows.map(toListedUser) };
};

const opposite = { asc: "desc", desc: "asc" } as const satisfies Record<SortOrder, SortOrder>;

const countKinds = async (db: Database, { role, status }: UserFilter): Promise<Counted> => {
  const kindCounts = await readKindCounts(db, "users");
  const total = sumKindCounts(
    kindCounts,
    (ofRole, ofStatus) => (role ?? ofRole) === ofRole && (status ?? ofStatus) === ofStatus,
  );
  return { total, totalIsEstimate: false };
};

/** A user with their state and whether they have a password, or `null`. */
export const selectListedUser = async (db: Database, id: string) => {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row
    ? { ...toListedUser(row), hasPassword: row.passwordHash !== null, secondFactorAt: row.secondFactorAt }
    : null;
};

const toListedUser = (user: UserRow): ListedUser => ({
  ...toUser(user),
  disabled: user.disabledAt !== null,
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
});

/** How many users, admins and addresses waiting for their verification there are. */
export const selectUserCounts = async (db: Database, now: Date) => {
  const kindCounts = await readKindCounts(db, "users");
  const [waiting] = await db
    .select({ pending: sql<number>`count(distinct ${pendingRegistrations.emailKey})`.mapWith(Number) })
    .from(pendingRegistrations)
    .where(gt(pendingRegistrations.expiresAt, now));
  return {
    total: sumKindCounts(kindCounts, () => true),
    admins: sumKindCounts(kindCounts, (role) => role === "admin"),
    pending: waiting?.pending ?? 0,
  };
};
