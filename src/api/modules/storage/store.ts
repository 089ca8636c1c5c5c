import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf } from "#api/core/ids.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { lockName } from "#api/db/data-folder.ts";
import { readInstallationValue, writeInstallationValue } from "#api/db/installation-values.ts";
import {
  installation,
  settingSecrets,
  storedObjectLeftovers,
  storedObjectParts,
  storedObjects,
} from "#api/db/schema.ts";

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
 * Makes a copy that has been written the object's own, and lets go of the one before: immediately when that lies in the
 * database, else recorded as left over. Resolves to whether: not when the copy was taken for abandoned, nor with `instead`
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

/** The lock is the key's and not the row's, because two may make the same row at the same time. */
const holdObject = async (tx: Database, key: string): Promise<StoredObject | null> => {
  await lockName(tx, `stored object ${key}`);
  return findObject(tx, key);
};

const letGo = async (tx: Database, former: StoredObject, { nameOf, now }: Change): Promise<void> => {
  if (former.bucket === null) await removeParts(tx, former.version);
  else await noteLeftover(tx, { bucket: former.bucket, name: nameOf(former), removeAfter: now });
};

/** Whether the copy was still recorded: if not, someone has removed it as abandoned. */
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
  return (await readInstallationValue(db, nameKey)) ?? proposed;
};

/** A copy in a bucket that is to be removed: not before `removeAfter`, while someone may still be writing it. */
type Leftover = typeof storedObjectLeftovers.$inferSelect;

/** Notes a copy as one that no object needs. */
export const noteLeftover = async (db: Database, leftover: Leftover): Promise<void> => {
  const { removeAfter } = leftover;
  await db
    .insert(storedObjectLeftovers)
    .values(leftover)
    .onConflictDoUpdate({
      target: [storedObjectLeftovers.bucket, storedObjectLeftovers.name],
      set: { removeAfter },
    });
};

/** What may be removed from a bucket now, the oldest first. */
export const selectLeftovers = (
  db: Database,
  { bucket, now, limit }: { bucket: string; now: Date; limit: number },
): Promise<Leftover[]> =>
  db
    .select()
    .from(storedObjectLeftovers)
    .where(and(eq(storedObjectLeftovers.bucket, bucket), lte(storedObjectLeftovers.removeAfter, now)))
    .orderBy(asc(storedObjectLeftovers.removeAfter))
    .limit(limit);

/** Forgets what has been removed. */
export const forgetLeftover = async (
  db: Database,
  { bucket, name }: Pick<Leftover, "bucket" | "name">,
): Promise<void> => {
  await db
    .delete(storedObjectLeftovers)
    .where(and(eq(storedObjectLeftovers.bucket, bucket), eq(storedObjectLeftovers.name, name)));
};

/** Whether objects or leftovers are still in a bucket. */
export const isBucketNeeded = async (db: Database, bucket: string): Promise<boolean> => {
  const [row] = await db.execute<{ needed: boolean }>(sql`
    select exists (select 1 from stored_objects where bucket = ${bucket})
      or exists (select 1 from stored_object_leftovers where bucket = ${bucket}) as needed`);
  return row?.needed === true;
};

/** How far objects have got on the way to the home `to`; `null` is the database. */
export type Progress = { to: string | null; moved: number; bytes: number; failed: number };

const progressKey = "storage.migration";
const settledKey = "storage.home";
const leaseKey = "storage.lease";

/** How far the move to `home` has got; `null` when none was begun. */
export const readProgress = async (db: Database, home: string | null): Promise<Progress | null> => {
  const value = await readInstallationValue(db, progressKey);
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
  writeInstallationValue(db, progressKey, JSON.stringify(progress));

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
  const value = await readInstallationValue(db, settledKey);
  return value === null || value === "" ? null : value;
};

/** Notes that all objects are at home. */
export const writeSettledHome = (db: Database, home: string | null): Promise<void> =>
  writeInstallationValue(db, settledKey, home ?? "");

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

/*
 * The access to each bucket that objects lie in is kept beside the settings' own secrets, sealed in the same way: after
 * an admin has removed or replaced the bucket, its objects still have to be fetched.
 */
const prefix = "storage.bucket.";
const purpose = "settings";

/** Keeps the access to a bucket. Writes only what is new. */
export const keepAccess = async (
  db: Database,
  { box, target, now }: { box: SecretBox; target: BucketTarget; now: Date },
): Promise<void> => {
  const bucket = bucketIdOf(target);
  const kept = await readAccess(db, { box, bucket }).catch(() => null);
  if (kept !== null && Bun.deepEquals(kept, target)) return;
  const name = nameOf(bucket);
  const sealed = box.seal(purpose, placeOf(name), new TextEncoder().encode(JSON.stringify(target)));
  await db
    .insert(settingSecrets)
    .values({ name, sealed, updatedAt: now })
    .onConflictDoUpdate({ target: settingSecrets.name, set: { sealed, updatedAt: now } });
};

/** The access to a bucket, or `null` when none is kept. Throws when it was sealed for another place or by another key. */
export const readAccess = async (
  db: Database,
  { box, bucket }: { box: SecretBox; bucket: string },
): Promise<BucketTarget | null> => {
  const name = nameOf(bucket);
  const [row] = await db.select().from(settingSecrets).where(eq(settingSecrets.name, name));
  return row === undefined ? null : openAccess(box, row);
};

/** The access to each bucket that any is kept of, and the names of rows that cannot be read. */
export const selectAccesses = async (
  db: Database,
  box: SecretBox,
): Promise<{ targets: BucketTarget[]; unreadable: string[] }> => {
  const rows = await db
    .select()
    .from(settingSecrets)
    .where(sql`starts_with(${settingSecrets.name}, ${prefix})`);
  const targets: BucketTarget[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    try {
      targets.push(openAccess(box, row));
    } catch {
      // Whoever asks says so in the log.
      unreadable.push(row.name);
    }
  }
  return { targets, unreadable };
};

/** Forgets the access to a bucket. */
export const forgetAccess = async (db: Database, bucket: string): Promise<void> => {
  await db.delete(settingSecrets).where(eq(settingSecrets.name, nameOf(bucket)));
};

// Short, and of letters that every secret's name is made of.
const nameOf = (bucket: string): string =>
  `${prefix}${digestOf(new TextEncoder().encode(bucket)).slice(0, 32)}`;

const placeOf = (name: string): string => `setting_secrets:sealed:${name}`;

const openAccess = (box: SecretBox, { name, sealed }: typeof settingSecrets.$inferSelect): BucketTarget =>
  toTarget(JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(name), sealed))));

const toTarget = (value: unknown): BucketTarget => {
  const field = (name: string): string => {
    const text: unknown = Reflect.get(Object(value), name);
    if (typeof text !== "string") throw new Error("these are not credentials of a bucket");
    return text;
  };
  return {
    endpoint: field("endpoint"),
    bucket: field("bucket"),
    accessKeyId: field("accessKeyId"),
    secretAccessKey: field("secretAccessKey"),
    token: null,
  };
};

/** Origin and name of a bucket: what the catalogue knows it by. */
export const bucketIdOf = (target: BucketTarget): string => `${bucketOriginOf(target)}/${target.bucket}`;

/** Where the bucket's server is. */
export const bucketOriginOf = ({ endpoint }: BucketTarget): string =>
  endpoint.replace(/\/$/, "").toLowerCase();
