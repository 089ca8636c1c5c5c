import { and, count, desc, eq, gt, ilike, inArray, or, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { patternOf } from "#api/db/long-lists.ts";
import { pendingRegistrations } from "#api/db/schema.ts";
import type { PendingUser } from "./contract.ts";
import { readHandle } from "./store.ts";

/** A registration that waits for its link to be followed. */
type PendingRow = typeof pendingRegistrations.$inferSelect;

/** Which addresses are wanted; an empty `search` wants all. */
export type PendingFilter = { search: string; limit: number; offset: number; now: Date };

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
