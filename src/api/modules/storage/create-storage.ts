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
import {
  type BucketSite,
  type BucketSites,
  type BucketSitesParts,
  createBucketSites,
} from "./bucket-sites.ts";
import { createStorageWorker, type StorageWorker } from "./storage-worker.ts";
import {
  countObjects,
  findObject,
  noteLeftover,
  readPart,
  readProgress,
  removeObject,
  removeParts,
  type StoredObject,
  selectObjects,
  settleObject,
  writePart,
} from "./store.ts";

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
  const objects = createObjects({
    ...{ ...parts, sites, copies },
    // With no bucket, new objects are at home; the worker looks after former buckets anyway.
    onWork: () => {
      if (sites.current() !== null) worker.wake();
    },
  });
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

/** Why a copy could not be read: its bucket is away, it is not what was put, or the object changed meanwhile. */
type Unread = "away" | "damaged";

/** Writes, reads and settles the copies that objects consist of. */
export type ObjectCopies = {
  /** Writes a new copy to a place, and makes it the object's own: see `settleObject`. */
  write(object: NewObject, place: Place): Promise<boolean>;
  /** What the copy contains, checked against its digest. */
  read(object: StoredObject): Promise<Uint8Array | Unread>;
};

/** What is to be stored. With `instead`, only in the place of that version. */
type NewObject = Omit<StoredObject, "version" | "bucket"> & { bytes: Uint8Array; instead?: string };

/** The database, or a bucket; `deadlineMs` ends the call to it. */
type Place = { site: null } | { site: BucketSite; deadlineMs?: number };

type ObjectCopiesParts = {
  db: Database;
  clock: Clock;
  sites: BucketSites;
  cache: ObjectCache;
};

/** How large the pieces are in which a copy lies in the database; the last one is smaller. */
export const partBytes = 1024 * 1024;
// Whoever writes a copy has done so by then, or never will.
const abandonedMs = 24 * 60 * 60 * 1000;
// What a slow line may need more than the time that a bucket gets before it counts as away.
const smallBytes = 256 * 1024;

/** Makes them. A copy is written before the catalogue names it, and removed after it does no more. */
const createObjectCopies = ({ db, clock, sites, cache }: ObjectCopiesParts): ObjectCopies => {
  const writeParts = async (version: string, bytes: Uint8Array): Promise<void> => {
    for (let start = 0, part = 0; start < bytes.byteLength; start += partBytes, part += 1)
      await writePart(db, { version, part, content: bytes.subarray(start, start + partBytes) });
  };

  const readParts = async ({ version, sizeBytes }: StoredObject): Promise<Uint8Array | null> => {
    const bytes = new Uint8Array(sizeBytes);
    for (let start = 0, part = 0; start < sizeBytes; start += partBytes, part += 1) {
      const content = await readPart(db, { version, part });
      if (content === null || content.byteLength !== Math.min(partBytes, sizeBytes - start)) return null;
      bytes.set(content, start);
    }
    return bytes;
  };

  const readFromBucket = async (object: StoredObject, id: string): Promise<Uint8Array | Unread> => {
    const kept = await cache.get(object.digest);
    if (kept !== null) return kept;
    const site = await sites.open(id);
    if (site === null || site.health.state === "away") return "away";
    const name = (await sites.naming())(object);
    try {
      const bytes = await site.use((bucket) => bucket.get(name, object.sizeBytes));
      if (bytes === null) return "damaged";
      if (digestOf(bytes) === object.digest) await cache.put(object.digest, bytes);
      return bytes;
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      return error.fault === "large" ? "damaged" : "away";
    }
  };

  return {
    write: async ({ bytes, instead, ...fields }, place) => {
      const nameOf = await sites.naming();
      const object = { ...fields, version: newId(), bucket: place.site?.id ?? null };
      const settle = () =>
        settleObject(db, object, {
          nameOf,
          now: clock.now(),
          ...(instead === undefined ? {} : { instead }),
        });
      if (place.site === null) {
        try {
          await writeParts(object.version, bytes);
          if (await settle()) return true;
        } catch (error) {
          // What cannot be removed now is swept later.
          await removeParts(db, object.version).catch(() => {});
          throw error;
        }
        await removeParts(db, object.version);
        return false;
      }
      const { site, deadlineMs } = place;
      const name = nameOf(object);
      const leftover = { bucket: site.id, name };
      await noteLeftover(db, {
        ...leftover,
        removeAfter: new Date(clock.now().getTime() + abandonedMs),
      });
      const options = {
        contentType: object.contentType,
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      };
      await site.use((bucket) => bucket.put(name, bytes, options), bytes.byteLength <= smallBytes);
      const isSettled = await settle();
      if (isSettled) await cache.put(object.digest, bytes);
      else await noteLeftover(db, { ...leftover, removeAfter: clock.now() });
      return isSettled;
    },
    read: async (object) => {
      const bytes =
        object.bucket === null ? await readParts(object) : await readFromBucket(object, object.bucket);
      if (bytes === null) return "damaged";
      return typeof bytes === "string" || digestOf(bytes) === object.digest ? bytes : "damaged";
    },
  };
};
