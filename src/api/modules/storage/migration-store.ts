import { eq, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { installation, storedObjects } from "#api/db/schema.ts";

/** How far objects have got on the way to the home `to`; `null` is the database. */
export type Progress = { to: string | null; moved: number; bytes: number; failed: number };

const progressKey = "storage.migration";
const settledKey = "storage.home";
const leaseKey = "storage.lease";

/** How far the move to `home` has got; `null` when none was begun. */
export const readProgress = async (db: Database, home: string | null): Promise<Progress | null> => {
  const value = await readFact(db, progressKey);
  const read: unknown = value === null ? null : JSON.parse(value);
  const { to, moved, bytes, failed } = {
    to: undefined,
    moved: null,
    bytes: null,
    failed: null,
    ...Object(read),
  };
  // A change of mind on the way begins a new count.
  if (to !== home || typeof moved !== "number" || typeof bytes !== "number" || typeof failed !== "number")
    return null;
  return { to, moved, bytes, failed };
};

/** Notes how far it has got. */
export const writeProgress = (db: Database, progress: Progress): Promise<void> =>
  writeFact(db, progressKey, JSON.stringify(progress));

/** Ends the count; resolves to whether it was this call that did. */
export const endProgress = async (db: Database): Promise<boolean> => {
  const ended = await db
    .delete(installation)
    .where(eq(installation.key, progressKey))
    .returning({ key: installation.key });
  return ended.length > 0;
};

/** Where all objects were when a move last came to its end; the database at first. */
export const readSettledHome = async (db: Database): Promise<string | null> => {
  const value = await readFact(db, settledKey);
  return value === null || value === "" ? null : value;
};

/** Notes that all objects are at home. */
export const writeSettledHome = (db: Database, home: string | null): Promise<void> =>
  writeFact(db, settledKey, home ?? "");

/** How many objects are not at home. */
export const countAstray = async (db: Database, home: string | null): Promise<number> => {
  const [row] = await db
    .select({ objects: sql<number>`count(*)::float8` })
    .from(storedObjects)
    .where(sql`${storedObjects.bucket} is distinct from ${home}::text`);
  return row?.objects ?? 0;
};

/** Takes the lease or keeps it, until `until`: of several who try, one gets it. */
export const takeLease = async (
  db: Database,
  { holder, now, until }: { holder: string; now: Date; until: Date },
): Promise<boolean> => {
  const value = `${until.toISOString()} ${holder}`;
  const taken = await db
    .insert(installation)
    .values({ key: leaseKey, value })
    .onConflictDoUpdate({
      target: installation.key,
      set: { value },
      // Moments of one form are in order as texts.
      setWhere: sql`split_part(${installation.value}, ' ', 2) = ${holder}
        or split_part(${installation.value}, ' ', 1) <= ${now.toISOString()}`,
    })
    .returning({ key: installation.key });
  return taken.length > 0;
};

/** Gives the lease back. */
export const giveBackLease = async (db: Database, holder: string): Promise<void> => {
  await db
    .delete(installation)
    .where(sql`${installation.key} = ${leaseKey} and split_part(${installation.value}, ' ', 2) = ${holder}`);
};

const readFact = async (db: Database, key: string): Promise<string | null> => {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, key));
  return row?.value ?? null;
};

const writeFact = async (db: Database, key: string, value: string): Promise<void> => {
  await db
    .insert(installation)
    .values({ key, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
};
