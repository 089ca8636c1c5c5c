import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { Bucket } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { createStorage } from "#api/modules/storage/index.ts";
import { testContext } from "./context.ts";
import { createFixedSettings } from "./fixed-settings.ts";
import { createMemoryBucket, type MemoryBucket } from "./memory-bucket.ts";

/** The secret of every bucket of a test, to be looked for where it must not be. */
export const bucketSecret = "secret-canary-of-a-bucket";

/** Access to a bucket of that name which no one else has. */
export const bucketTarget = (bucket: string): BucketTarget => ({
  endpoint: "https://storage.example.test",
  bucket,
  accessKeyId: "access-key-id-of-tests",
  secretAccessKey: bucketSecret,
  token: null,
});

/**
 * An object store over `db` whose buckets are in memory, by name, and whose worker looks when it is told to. `open` makes
 * another bucket of a target, `replica` another process over the same database and buckets.
 */
export const createStorageWorld = (db: Database, open?: (bucket: Bucket, target: BucketTarget) => Bucket) => {
  const ctx = testContext({ db });
  const buckets = new Map<string, MemoryBucket>();
  const bucketOf = (name: string): MemoryBucket => {
    const bucket = buckets.get(name) ?? createMemoryBucket();
    buckets.set(name, bucket);
    return bucket;
  };
  const replica = () => {
    const settings = createFixedSettings();
    const cached = new Map<string, Uint8Array>();
    const storage = createStorage({
      ...ctx,
      settings,
      box: ctx.secrets,
      cache: {
        get: async (digest) => cached.get(digest) ?? null,
        put: async (digest, bytes) => void cached.set(digest, bytes),
      },
      openBucket: (target) => {
        const bucket = bucketOf(target.bucket);
        return open?.(bucket, target) ?? bucket;
      },
      rest: async () => {},
    });
    return { ...storage, settings, cached };
  };
  /** Names of what lies in a bucket without what pings leave, as the last two parts of each. */
  const namesIn = (name: string): string[] =>
    [...bucketOf(name).objects.keys()]
      .filter((path) => !path.endsWith("/alive"))
      .map((path) => path.split("/").slice(2, -1).join("/"))
      .sort();
  const count = async (table: "stored_object_parts" | "stored_object_leftovers" | "setting_secrets") => {
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from ${sql.identifier(table)}`,
    );
    return row?.n ?? 0;
  };
  return { ctx, bucketOf, namesIn, count, replica, ...replica() };
};
