import { and, count, desc, eq, gt, ilike, or, sql } from "drizzle-orm";
import type { Database } from "#api/db/database.ts";
import { pendingRegistrations } from "#api/db/schema.ts";
import { patternOf } from "./list-store.ts";
import { readHandle } from "./store.ts";

/** A registration that waits for its link to be followed. */
export type PendingRow = typeof pendingRegistrations.$inferSelect;

/**
 * An address that waits for its verification, by its newest registration. `registrations` counts all that wait for it,
 * `mailedAt` is null while no link was mailed for the newest.
 */
export type PendingUser = {
  id: string;
  name: string;
  email: string;
  registrations: number;
  createdAt: string;
  mailedAt: string | null;
  expiresAt: string;
};

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
      registrations: sql<number>`count(*) over (partition by ${emailKey})`
        .mapWith(Number)
        .as("registrations"),
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
  const rows = await db
    .select()
    .from(waiting)
    .where(wanted)
    .orderBy(desc(waiting.createdAt), desc(waiting.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db.select({ total: count() }).from(waiting).where(wanted);
  return { rows: rows.map(toPendingUser), total: counted?.total ?? 0 };
};

const toPendingUser = (
  row: Omit<PendingRow, "emailKey" | "passwordHash" | "tokenHash"> & { registrations: number },
): PendingUser => ({
  id: row.id,
  name: row.name,
  email: row.email,
  registrations: row.registrations,
  createdAt: row.createdAt.toISOString(),
  mailedAt: row.mailedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt.toISOString(),
});

/**
 * Removes every registration of an address, named by it or by the id of one of them, in one statement. Gives the one
 * with that id, or the newest of the address; `null` when it is none or has expired. Of many calls at once one gets it.
 */
export const takePendingRegistrations = async (
  tx: Database,
  text: string,
  now: Date,
): Promise<PendingRow | null> => {
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
  const meant = "id" in handle ? rows.filter(({ id }) => id === handle.id) : rows.sort(newestFirst);
  return meant.find(({ expiresAt }) => expiresAt > now) ?? null;
};

const newestFirst = (one: PendingRow, other: PendingRow): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (other.id > one.id ? 1 : -1);
