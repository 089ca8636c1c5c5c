import { eq, sql } from "drizzle-orm";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf } from "#api/core/ids.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { settingSecrets } from "#api/db/schema.ts";
import { bucketIdOf } from "./bucket-id.ts";

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
    if (typeof text !== "string") throw new Error("this is not the access to a bucket");
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
