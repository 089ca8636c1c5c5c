import type { ObjectCache } from "#api/adapters/object-store/object-cache.ts";
import type { ActivityRecorder } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf, newId } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { BucketError, type ObjectStore } from "#api/core/objects.ts";
import type { SettingsService } from "#api/core/settings.ts";
import type { MigrationProgress, StorageState } from "#contract/settings.ts";
import { type BucketSites, type BucketSitesParts, createBucketSites } from "./bucket-sites.ts";
import { createObjectCopies, type NewObject, type ObjectCopies } from "./object-copies.ts";
import { createStorageWorker, type StorageWorker } from "./storage-worker.ts";
import { countObjects, findObject, readProgress, removeObject, selectObjects } from "./store.ts";

type StorageParts = BucketSitesParts & {
  activity: ActivityRecorder;
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

type StorageStateParts = { db: Database; settings: SettingsService; sites: BucketSites; startedAt: Date };

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

type ObjectsParts = {
  db: Database;
  clock: Clock;
  log: Log;
  activity: ActivityRecorder;
  sites: BucketSites;
  copies: ObjectCopies;
  /** Is called when there is something to move or to remove. */
  onWork: () => void;
};

// What callers wait for at most before the database takes the object instead.
const bucketMs = 2_000;
// Larger ones would hardly be through by then: they go by way of the database.
const mostDirectBytes = 8 * 1024 * 1024;
const retryAfterS = 5;
const mostTries = 3;

/** The store without its state: see {@link ObjectStore}. */
const createObjects = (parts: ObjectsParts): Omit<ObjectStore, "state"> => {
  const { db, clock, sites, copies, onWork } = parts;

  const putIntoBucket = async (object: NewObject): Promise<boolean> => {
    if (object.sizeBytes > mostDirectBytes) return false;
    const site = await sites.home();
    if (site === null) return false;
    try {
      return await copies.write(object, { site, deadlineMs: bucketMs });
    } catch (error) {
      // The database takes it instead; the site has told the log.
      if (error instanceof BucketError) return false;
      throw error;
    }
  };

  return {
    put: async (key, bytes, { contentType }) => {
      checkKey(key);
      const { byteLength: sizeBytes } = bytes;
      const object = { key, bytes, sizeBytes, contentType, digest: digestOf(bytes), createdAt: clock.now() };
      if (!(await putIntoBucket(object))) await copies.write(object, { site: null });
      onWork();
    },
    get: async (key) => {
      checkKey(key);
      for (let tries = 1; ; tries += 1) {
        const object = await findObject(db, key);
        if (object === null) return null;
        const bytes = await copies.read(object);
        if (typeof bytes !== "string") return bytes;
        // Moved or replaced while it was read: it lies elsewhere now.
        const { version = null } = (await findObject(db, key)) ?? {};
        if (version !== object.version && tries < mostTries) continue;
        if (bytes === "away") throw new AppError("STORAGE_UNAVAILABLE", undefined, { retryAfterS });
        throw damaged(parts, key);
      }
    },
    delete: async (key) => {
      checkKey(key);
      await removeObject(db, key, { nameOf: await sites.naming(), now: clock.now() });
      onWork();
    },
    list: async (prefix) =>
      (await selectObjects(db, prefix)).map(({ version: _, bucket: __, ...entry }) => entry),
  };
};

/** Someone else had a hand in it, or a disk failed: nothing of it is given to anyone. */
const damaged = ({ log, activity, clock }: ObjectsParts, key: string): AppError => {
  log.error("a stored object is not what was uploaded", { key, severity: "critical" });
  activity.note({
    entry: {
      type: "suspicious_activity",
      action: "A stored file is damaged",
      description: `"${key}" is missing or damaged; it is not used`,
      status: "failure",
      severity: "critical",
    },
    source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
    at: clock.now(),
  });
  return new AppError("INTERNAL", undefined, { cause: new Error("a stored object is damaged") });
};

const form = /^[A-Za-z0-9_][A-Za-z0-9._+-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+-]*)*$/;
const mostCharacters = 500;

/** Throws unless the key is a plain path: keys come from the program, so that another one is a fault of ours. */
const checkKey = (key: string): void => {
  if (key.length > mostCharacters || !form.test(key) || key.includes(".."))
    throw new Error("this is not the key of an object");
};
