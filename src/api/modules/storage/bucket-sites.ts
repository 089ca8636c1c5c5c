import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import type { Bucket } from "#api/core/objects.ts";
import type { BucketTarget, SettingsDesk } from "#api/core/settings.ts";
import { forgetAccess, keepAccess, readAccess, selectAccesses } from "./access-store.ts";
import { bucketIdOf, bucketOriginOf } from "./bucket-id.ts";
import { type BucketSite, createBucketSite } from "./bucket-site.ts";
import { isBucketNeeded } from "./leftovers-store.ts";
import { type CopyName, readOwnName } from "./store.ts";

/** The buckets that objects may lie in: the one of the settings, and former ones that are not empty yet. */
export type BucketSites = {
  /** The one of the settings, or `null`. */
  current(): BucketSite | null;
  /** The one of the settings if it can be written to, asked within two seconds when that is not known yet. */
  home(): Promise<BucketSite | null>;
  /** The bucket of that address, or `null` when nothing is known of how to reach it. */
  open(id: string): Promise<BucketSite | null>;
  /** All of them, the current one first. */
  all(): Promise<BucketSite[]>;
  /** How copies of this installation are named. */
  naming(): Promise<CopyName>;
  /** Lets go of former buckets in which nothing is left. */
  tidy(): Promise<void>;
  close(): void;
};

export type BucketSitesParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  settings: SettingsDesk;
  openBucket: (target: BucketTarget) => Bucket;
};

// Another replica that has not heard of the change yet may still put something into a bucket that looks empty.
const keptEmptyMs = 60_000;

/** Makes the list; nothing is opened before it is asked for. */
export const createBucketSites = (parts: BucketSitesParts): BucketSites => {
  const { db, clock, log, box, settings, openBucket } = parts;
  const known = new Map<string, { target: BucketTarget; site: BucketSite }>();
  const emptySinceMs = new Map<string, number>();
  let ownName: Promise<string> | null = null;
  let isUnreadableTold = false;

  const folder = async (): Promise<string> => {
    ownName ??= readOwnName(db, newId()).catch((error: unknown) => {
      ownName = null;
      throw error;
    });
    return `atrium/${await ownName}`;
  };

  /** A site for exactly this access: another key makes another one. */
  const siteOf = (target: BucketTarget): BucketSite => {
    const id = bucketIdOf(target);
    const found = known.get(id);
    if (found !== undefined && isSameAccess(found.target, target)) return found.site;
    found?.site.close();
    const site = createBucketSite({
      id,
      origin: bucketOriginOf(target),
      bucket: openBucket(target),
      clock,
      log,
      pingName: async () => `${await folder()}/alive`,
      onAnswer: () => keepAccess(db, { box, target: { ...target, token: null }, now: clock.now() }),
    });
    known.set(id, { target, site });
    return site;
  };

  const current = (): BucketSite | null => {
    const { bucket } = settings.current;
    return bucket === null ? null : siteOf(bucket);
  };

  /** Buckets that are not the one of the settings, as they were when they last answered. */
  const formerTargets = async (): Promise<BucketTarget[]> => {
    const { targets, unreadable } = await selectAccesses(db, box);
    if (unreadable.length > 0 && !isUnreadableTold)
      log.error("the access to former buckets cannot be read", { names: unreadable });
    isUnreadableTold = unreadable.length > 0;
    const now = current();
    return targets.filter((target) => bucketIdOf(target) !== now?.id);
  };

  const open = async (id: string): Promise<BucketSite | null> => {
    const now = current();
    if (now?.id === id) return now;
    // As it was when the bucket last answered: what was entered since then may be wrong.
    const target = await readAccess(db, { box, bucket: id });
    return target === null ? null : siteOf(target);
  };

  return {
    current,
    home: async () => {
      const site = current();
      if (site === null || site.health.state === "away") return null;
      return site.health.state === "up" || (await site.ping()) ? site : null;
    },
    open,
    all: async () => {
      const now = current();
      const sites = now === null ? [] : [now];
      for (const target of await formerTargets()) sites.push(siteOf(target));
      return sites;
    },
    naming: async () => {
      const root = await folder();
      return ({ key, version }) => `${root}/${key}/${version}`;
    },
    tidy: async () => {
      for (const target of await formerTargets()) {
        const site = siteOf(target);
        const { id } = site;
        if (await isBucketNeeded(db, id)) {
          emptySinceMs.delete(id);
          continue;
        }
        const sinceMs = emptySinceMs.get(id) ?? clock.uptimeMs();
        emptySinceMs.set(id, sinceMs);
        if (clock.uptimeMs() - sinceMs < keptEmptyMs) continue;
        const name = `${await folder()}/alive`;
        // A few bytes that stay are not worth keeping the keys for.
        await site.use((bucket) => bucket.delete(name), false).catch(() => {});
        await forgetAccess(db, id);
        site.close();
        known.delete(id);
        emptySinceMs.delete(id);
      }
    },
    close: () => {
      for (const { site } of known.values()) site.close();
      known.clear();
    },
  };
};

const isSameAccess = (a: BucketTarget, b: BucketTarget): boolean =>
  a.endpoint === b.endpoint &&
  a.bucket === b.bucket &&
  a.accessKeyId === b.accessKeyId &&
  a.secretAccessKey === b.secretAccessKey;
