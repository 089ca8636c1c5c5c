import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { type Bucket, BucketError, type BucketFault } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { createStorage } from "#api/modules/storage/index.ts";
import { testContext } from "./context.ts";
import { createFixedSettings } from "./fixed-settings.ts";

/** What a test may do to a bucket besides using it. */
type MemoryBucket = Bucket & {
  /** Contents by name. */
  objects: Map<string, Uint8Array>;
  calls: string[];
  /** What each call fails with; `null` is that it works. */
  fault: BucketFault | null;
  /** Is called before each call, which waits for it and fails with it. */
  before: (call: string, name: string) => Promise<void> | void;
};

/** A bucket in memory, as the object store sees one. */
const createMemoryBucket = (): MemoryBucket => {
  const objects = new Map<string, Uint8Array>();
  const enter = async (call: string, name: string): Promise<void> => {
    bucket.calls.push(call);
    await bucket.before(call, name);
    if (bucket.fault !== null) throw new BucketError(bucket.fault);
  };
  const remove = async (name: string): Promise<void> => {
    await enter("delete", name);
    objects.delete(name);
  };
  const bucket: MemoryBucket = {
    objects,
    calls: [],
    fault: null,
    before: () => {},
    put: async (name, bytes) => {
      await enter("put", name);
      objects.set(name, bytes.slice());
    },
    get: async (name, mostBytes) => {
      await enter("get", name);
      const bytes = objects.get(name);
      if (bytes !== undefined && bytes.byteLength > mostBytes) throw new BucketError("large");
      return bytes?.slice() ?? null;
    },
    delete: remove,
    discard: remove,
    close: () => {},
  };
  return bucket;
};

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
