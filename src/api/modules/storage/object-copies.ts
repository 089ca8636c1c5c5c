import type { ObjectCache } from "#api/adapters/object-store/object-cache.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { digestOf, newId } from "#api/core/ids.ts";
import { BucketError } from "#api/core/objects.ts";
import type { BucketSite, BucketSites } from "./bucket-sites.ts";
import { noteLeftover, readPart, removeParts, type StoredObject, settleObject, writePart } from "./store.ts";

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
export type NewObject = Omit<StoredObject, "version" | "bucket"> & { bytes: Uint8Array; instead?: string };

/** The database, or a bucket; `deadlineMs` ends the call to it. */
type Place = { site: null } | { site: BucketSite; deadlineMs?: number };

export type ObjectCopiesParts = {
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
export const createObjectCopies = ({ db, clock, sites, cache }: ObjectCopiesParts): ObjectCopies => {
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
