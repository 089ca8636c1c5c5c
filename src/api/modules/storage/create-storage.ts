import type { ObjectCache } from "#api/adapters/object-store/object-cache.ts";
import type { ActivityDesk } from "#api/core/activity.ts";
import { newId } from "#api/core/new-id.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import { type BucketSitesParts, createBucketSites } from "./bucket-sites.ts";
import { createObjects } from "./create-objects.ts";
import { createObjectCopies } from "./object-copies.ts";
import { storageState } from "./storage-state.ts";
import { createStorageWorker, type StorageWorker } from "./storage-worker.ts";

export type StorageParts = BucketSitesParts & {
  activity: ActivityDesk;
  cache: ObjectCache;
  /** Waits between two objects that are moved: see {@link restAsLong}. */
  rest?: (tookMs: number) => Promise<void>;
};

/** Where objects are kept, and who looks after them. */
export type Storage = { objects: ObjectStore; worker: StorageWorker };

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
