import { and, count, desc, eq, gt, ilike, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { toUser } from "#api/core/actor.ts";
import type { Database } from "#api/core/database.ts";
import {
  type Counted,
  countFound,
  directed,
  holds,
  nearerEnd,
  patternOf,
  readKindCounts,
  sumKindCounts,
} from "#api/db/long-lists.ts";
import { pendingRegistrations, users } from "#api/db/schema.ts";
import { userColumns } from "#api/db/user-rows.ts";
import type { Role, SortOrder, UserSort } from "#contract/users.ts";
import type { ListedUser, PendingUser } from "./contract.ts";
import { readHandle, type UserRow } from "./store.ts";

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

/** A registration that waits for its link to be followed. */
type PendingRow = typeof pendingRegistrations.$inferSelect;

/** Which addresses are wanted; an empty `search` wants all. */
type PendingFilter = { search: string; limit: number; offset: number; now: Date };

/** One page of the addresses that wait, newest first, and how many there are in all. */
export const selectPendingUsers = async (db: Database, { search, limit, offset, now }: PendingFilter) => {
  const { id, name, email, emailKey, createdAt, mailedAt, expiresAt } = pendingRegistrations;
  const waiting = db
    .select({
      id,
      name,
      email,
      createdAt,
      mailedAt,
      expiresAt,
      emailKey,
      place: sql<number>`row_number() over (partition by ${emailKey} order by ${createdAt} desc, ${id} desc)`
        .mapWith(Number)
        .as("place"),
    })
    .from(pendingRegistrations)
    .where(gt(expiresAt, now))
    .as("waiting");
  const pattern = patternOf(search);
  const wanted = and(
    eq(waiting.place, 1),
    search === "" ? undefined : or(ilike(waiting.name, pattern), ilike(waiting.email, pattern)),
  );
  const newest = await db
    .select()
    .from(waiting)
    .where(wanted)
    .orderBy(desc(waiting.createdAt), desc(waiting.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(waiting).where(wanted);
  const all = await db
    .select()
    .from(pendingRegistrations)
    .where(
      and(
        inArray(
          emailKey,
          newest.map((row) => row.emailKey),
        ),
        gt(expiresAt, now),
      ),
    )
    .orderBy(desc(createdAt), desc(id));
  const rows = newest.map((row): PendingUser => {
    const ofAddress = all.filter((other) => other.emailKey === row.emailKey).map(toRegistration);
    return {
      ...toRegistration(row),
      email: row.email,
      registrations: ofAddress.length,
      waiting: ofAddress,
    };
  });
  return { rows, total: counted?.total ?? 0 };
};

const toRegistration = (
  row: Pick<PendingRow, "id" | "name" | "createdAt" | "mailedAt" | "expiresAt">,
): PendingUser["waiting"][number] => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  mailedAt: row.mailedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
});

/** A registration that was taken; `isOneOfSeveral`: an address was given, and others of it wait as well. */
export type TakenRegistration = { row: PendingRow; isOneOfSeveral: boolean };

/**
 * Removes every registration of an address, named by it or by the id of one of them, in one statement. Gives the one
 * with that id, or the newest of the address; `null` when it is none or has expired. Of many calls at the same time one gets it.
 */
export const takePendingRegistrations = async (
  tx: Database,
  text: string,
  now: Date,
): Promise<TakenRegistration | null> => {
  const handle = readHandle(text);
  if (handle === null) return null;
  const address =
    "key" in handle
      ? sql`${handle.key}`
      : sql`(${tx.select({ key: pendingRegistrations.emailKey }).from(pendingRegistrations).where(eq(pendingRegistrations.id, handle.id))})`;
  const rows = await tx
    .delete(pendingRegistrations)
    .where(sql`${pendingRegistrations.emailKey} = ${address}`)
    .returning();
  const waiting = rows.filter(({ expiresAt }) => expiresAt > now).sort(newestFirst);
  const [row, ...others] = "id" in handle ? waiting.filter(({ id }) => id === handle.id) : waiting;
  return row ? { row, isOneOfSeveral: others.length > 0 } : null;
};

const newestFirst = (one: PendingRow, other: PendingRow): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (other.id > one.id ? 1 : -1);
