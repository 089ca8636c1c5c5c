import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { lockName } from "#api/db/lock-name.ts";
import { installation, storedObjectParts, storedObjects } from "#api/db/schema.ts";
import { noteLeftover } from "./leftovers-store.ts";

/** An object and where its one copy lies: in the named bucket, or in the database when that is `null`. */
export type StoredObject = typeof storedObjects.$inferSelect;

/** The object of that key, or `null`. */
export const findObject = async (db: Database, key: string): Promise<StoredObject | null> => {
  const [row] = await db.select().from(storedObjects).where(eq(storedObjects.key, key));
  return row ?? null;
};

/** The objects whose keys begin with `prefix`, in the order of their keys. */
export const selectObjects = (db: Database, prefix: string): Promise<StoredObject[]> =>
  db
    .select()
    .from(storedObjects)
    .where(sql`starts_with(${storedObjects.key}, ${prefix})`)
    .orderBy(sql`${storedObjects.key} collate "C"`);

/** Objects that do not lie where they should, behind the key `after`. */
export const selectAstray = (
  db: Database,
  { home, after, limit }: { home: string | null; after: string; limit: number },
): Promise<StoredObject[]> =>
  db
    .select()
    .from(storedObjects)
    .where(and(gt(storedObjects.key, after), sql`${storedObjects.bucket} is distinct from ${home}::text`))
    .orderBy(asc(storedObjects.key))
    .limit(limit);

/** How many objects lie in each place, and how many bytes they have. */
export const countObjects = (
  db: Database,
): Promise<{ bucket: string | null; objects: number; bytes: number }[]> =>
  db
    .select({
      bucket: storedObjects.bucket,
      objects: sql<number>`count(*)::float8`,
      bytes: sql<number>`sum(${storedObjects.sizeBytes})::float8`,
    })
    .from(storedObjects)
    .groupBy(storedObjects.bucket);

/** How to find what has no catalogue: the name of a copy within a bucket. */
export type CopyName = (object: { key: string; version: string }) => string;

type Change = { nameOf: CopyName; now: Date };

/**
 * Makes a copy that has been written the object's own, and lets go of the one before: at once when that lies in the
 * database, else noted as left over. Resolves to whether: not when the copy was taken for abandoned, nor with `instead`
 * when that is not the object's version any more.
 */
export const settleObject = (
  db: Database,
  object: StoredObject,
  { nameOf, now, instead }: Change & { instead?: string },
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const former = await holdObject(tx, object.key);
    if (instead !== undefined && former?.version !== instead) return false;
    const { bucket } = object;
    if (bucket !== null && !(await keepCopy(tx, { bucket, name: nameOf(object) }))) return false;
    const { key: _, ...fields } = object;
    await tx
      .insert(storedObjects)
      .values(object)
      .onConflictDoUpdate({ target: storedObjects.key, set: fields });
    if (former !== null) await letGo(tx, former, { nameOf, now });
    return true;
  });

/** Removes an object with its copy, or notes the copy as left over. */
export const removeObject = (db: Database, key: string, change: Change): Promise<void> =>
  db.transaction(async (tx) => {
    const former = await holdObject(tx, key);
    if (former === null) return;
    await tx.delete(storedObjects).where(eq(storedObjects.key, key));
    await letGo(tx, former, change);
  });

/** The lock is the key's and not the row's, because two may make the same row at once. */
const holdObject = async (tx: Database, key: string): Promise<StoredObject | null> => {
  await lockName(tx, `stored object ${key}`);
  return findObject(tx, key);
};

const letGo = async (tx: Database, former: StoredObject, { nameOf, now }: Change): Promise<void> => {
  if (former.bucket === null) await removeParts(tx, former.version);
  else await noteLeftover(tx, { bucket: former.bucket, name: nameOf(former), removeAfter: now });
};

/** Whether the copy was still noted: if not, somebody has removed it as abandoned. */
const keepCopy = async (
  tx: Database,
  { bucket, name }: { bucket: string; name: string },
): Promise<boolean> => {
  const kept = await tx.execute(
    sql`delete from stored_object_leftovers where bucket = ${bucket} and name = ${name} returning name`,
  );
  return kept.length > 0;
};

/** Writes one piece of a copy. */
export const writePart = async (db: Database, part: typeof storedObjectParts.$inferInsert): Promise<void> => {
  await db.insert(storedObjectParts).values(part);
};

/** One piece of a copy, or `null` behind the last. */
export const readPart = async (
  db: Database,
  { version, part }: { version: string; part: number },
): Promise<Uint8Array | null> => {
  const [row] = await db
    .select({ content: storedObjectParts.content })
    .from(storedObjectParts)
    .where(and(eq(storedObjectParts.version, version), eq(storedObjectParts.part, part)));
  return row?.content ?? null;
};

/** Removes a copy from the database. */
export const removeParts = async (db: Database, version: string): Promise<void> => {
  await db.delete(storedObjectParts).where(eq(storedObjectParts.version, version));
};

/** Removes copies that no object has, and that were begun before `before`. */
export const sweepParts = async (db: Database, before: Date): Promise<void> => {
  // Versions begin with their time: RFC 9562 §5.7.
  const time = before.getTime().toString(16).padStart(12, "0");
  const bound = `${time.slice(0, 8)}-${time.slice(8)}`;
  await db.execute(sql`
    delete from stored_object_parts where version collate "C" < ${bound}
      and not exists (select 1 from stored_objects where stored_objects.version = stored_object_parts.version)`);
};

const nameKey = "storage.installation";

/** What tells the objects of this installation from those of others in the same bucket. */
export const readOwnName = async (db: Database, proposed: string): Promise<string> => {
  await db.insert(installation).values({ key: nameKey, value: proposed }).onConflictDoNothing();
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, nameKey));
  return row?.value ?? proposed;
};
