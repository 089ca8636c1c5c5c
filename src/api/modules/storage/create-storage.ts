import type { ObjectCache } from "#api/adapters/object-store/object-cache.ts";
import type { ActivityDesk } from "#api/core/activity.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import type { SettingsDesk } from "#api/core/settings.ts";
import type { MigrationProgress, StorageState } from "#contract/settings.ts";
import { type BucketSites, type BucketSitesParts, createBucketSites } from "./bucket-sites.ts";
import { createObjects } from "./create-objects.ts";
import { readProgress } from "./migration-store.ts";
import { createObjectCopies } from "./object-copies.ts";
import { createStorageWorker, type StorageWorker } from "./storage-worker.ts";
import { countObjects } from "./store.ts";

type StorageParts = BucketSitesParts & {
  activity: ActivityDesk;
  cache: ObjectCache;
  /** Waits between two objects that are moved: see {@link restAsLong}. */
  rest?: (tookMs: number) => Promise<void>;
};

/** Where objects are kept, and who looks after them. */
type Storage = { objects: ObjectStore; worker: StorageWorker };

/** Builds both; nothing is opened, read or written before it is asked for. */
export const createStorage = (parts: StorageParts): Storage => {
  const { clock, rest = restAsLong } = parts;
  const startedAt = clock.now();
  const sites = createBucketSites(parts);
  const copies = createObjectCopies({ ...parts, sites });
  const worker = createStorageWorker({ ...parts, sites, copies, rest, holder: newId() });
  const objects = createObjects({ ...parts, sites, copies, onWork: worker.wake });
  return {
    objects: { ...objects, state: () => storageState({ ...parts, sites, startedAt }) },
    worker,
  };
};

const mostRestMs = 500;

/** As long as the work itself took: a move takes half of what the line and the database can do. */
const restAsLong = (tookMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, mostRestMs)));

type StorageStateParts = { db: Database; settings: SettingsDesk; sites: BucketSites; startedAt: Date };

/** Where objects are and where they are going; of a bucket, how it is doing as this process sees it. */
const storageState = async ({ db, settings, sites, startedAt }: StorageStateParts): Promise<StorageState> => {
  const counts = await countObjects(db);
  const current = sites.current();
  const home = current?.id ?? null;
  const sum = (isCounted: (bucket: string | null) => boolean): number =>
    counts.reduce((total, { bucket, objects }) => total + (isCounted(bucket) ? objects : 0), 0);
  const astray = sum((bucket) => bucket !== home);
  const formerId = counts.find(({ bucket }) => bucket !== null && bucket !== home)?.bucket ?? null;
  const former = formerId === null ? null : await sites.open(formerId).catch(() => null);
  const site = current ?? former;
  return {
    state: site?.health.state ?? "unused",
    server: site?.origin ?? null,
    source: settings.current.bucket === null ? null : "settings",
    since: (site?.health.since ?? startedAt).toISOString(),
    reason: site?.health.reason ?? null,
    home: home === null ? "database" : "r2",
    inDatabase: sum((bucket) => bucket === null),
    inR2: sum((bucket) => bucket !== null),
    migration: astray === 0 ? null : await progressOf({ db, home, astray }),
  };
};

const progressOf = async ({
  db,
  home,
  astray,
}: {
  db: Database;
  home: string | null;
  astray: number;
}): Promise<MigrationProgress> => {
  const { moved, bytes, failed } = (await readProgress(db, home)) ?? { moved: 0, bytes: 0, failed: 0 };
  return { moved, total: moved + astray, bytes, failed };
};
