import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { type Bucket, BucketError } from "#api/core/objects.ts";
import type { BucketTarget, SettingsService } from "#api/core/settings.ts";
import {
  bucketIdOf,
  bucketOriginOf,
  type CopyName,
  forgetAccess,
  isBucketNeeded,
  keepAccess,
  readAccess,
  readOwnName,
  selectAccesses,
} from "./store.ts";

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
  settings: SettingsService;
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
      log.error("the credentials of former buckets cannot be read", { names: unreadable });
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

/** How a bucket is doing, as this process sees it. */
type SiteHealth = { state: "connecting" | "up" | "away"; since: Date; reason: string | null };

/** A bucket with what is known of its health. */
export type BucketSite = {
  /** Origin and name. */
  id: string;
  origin: string;
  readonly health: SiteHealth;
  /** Runs `work` on the bucket; its failure, unless `isTelling` is false, counts as the bucket's. */
  use<T>(work: (bucket: Bucket) => Promise<T>, isTelling?: boolean): Promise<T>;
  /** Whether it is there and writable, within two seconds; asked once at a time. */
  ping(): Promise<boolean>;
  /** Whether it is time to ask. */
  isDoubtful(): boolean;
  close(): void;
};

type BucketSiteParts = {
  id: string;
  origin: string;
  bucket: Bucket;
  clock: Clock;
  log: Log;
  /** Name of the object that a ping writes. */
  pingName: () => Promise<string>;
  /** Is called when the bucket has answered a ping, before anything else is put into it. */
  onAnswer: () => Promise<void>;
};

const pingMs = 2_000;
// What is up and quiet is asked now and then, so that admins see that it went away.
const quietMs = 60_000;

/** Makes a site of which nothing is known yet. */
const createBucketSite = (parts: BucketSiteParts): BucketSite => {
  const { id, origin, bucket, clock, log, pingName, onAnswer } = parts;
  let health: SiteHealth = { state: "connecting", since: clock.now(), reason: null };
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let isInDoubt = false;
  let asking: Promise<boolean> | null = null;

  const succeed = (): void => {
    answeredAtMs = clock.uptimeMs();
    if (health.state === "away") log.info("the object storage is available again", { bucket: id });
    if (health.state !== "up") health = { state: "up", since: clock.now(), reason: null };
  };

  const fail = ({ fault, message }: BucketError): void => {
    if (health.state !== "away")
      log.warn("the object storage is unavailable", { bucket: id, reason: message });
    if (health.state !== "away" || health.reason !== message)
      health = { state: "away", since: clock.now(), reason: message };
    isInDoubt = fault === "slow";
  };

  const use = async <T>(work: (bucket: Bucket) => Promise<T>, isTelling = true): Promise<T> => {
    try {
      const result = await work(bucket);
      // Only a ping makes a bucket usable: it has seen to all that has to be there first.
      if (health.state === "up") answeredAtMs = clock.uptimeMs();
      return result;
    } catch (error) {
      if (error instanceof BucketError) {
        if (isTelling) fail(error);
        else isInDoubt = true;
      }
      throw error;
    }
  };

  const ask = async (): Promise<boolean> => {
    isInDoubt = false;
    try {
      const name = await pingName();
      await bucket.put(name, new TextEncoder().encode("Atrium\n"), {
        contentType: "text/plain",
        deadlineMs: pingMs,
      });
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      fail(error);
      return false;
    }
    await onAnswer();
    succeed();
    return true;
  };

  return {
    id,
    origin,
    get health() {
      return health;
    },
    use,
    ping: () => {
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    isDoubtful: () => health.state !== "up" || isInDoubt || clock.uptimeMs() - answeredAtMs >= quietMs,
    close: () => bucket.close(),
  };
};
