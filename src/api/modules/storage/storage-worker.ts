import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { BucketError } from "#api/core/objects.ts";
import type { SettingsDesk } from "#api/core/settings.ts";
import type { BucketSite } from "./bucket-site.ts";
import type { BucketSites } from "./bucket-sites.ts";
import { forgetLeftover, selectLeftovers } from "./leftovers-store.ts";
import { type MoveParts, moveObjects } from "./move-objects.ts";
import { sweepParts } from "./store.ts";

/** Keeps stored objects where they belong. Each process may have one. */
export type StorageWorker = {
  /** Looks now, every five seconds while a bucket is in play, and whenever it is woken. */
  start(): void;
  /** Tells it that there is something to do. */
  wake(): void;
  /** Asks the buckets how they are, removes what is left over, moves what is not at home. */
  look(): Promise<void>;
  /** Ends a move behind the object under way; the rest waits for the next. */
  stop(): Promise<void>;
};

export type StorageWorkerParts = MoveParts & {
  db: Database;
  clock: Clock;
  log: Log;
  sites: BucketSites;
  settings: SettingsDesk;
};

const pollMs = 5_000;
// With no bucket at all there is only what another replica may have begun.
const idleMs = 60_000;
const sweepEveryMs = 60 * 60 * 1000;
const abandonedMs = 24 * 60 * 60 * 1000;
const leftoversAtOnce = 100;
const graceMs = 2_000;

/** Makes a worker that rests until `start`. A database or bucket that is away only makes objects wait. */
export const createStorageWorker = (parts: StorageWorkerParts): StorageWorker => {
  const { db, clock, log, sites, settings } = parts;
  let isStopping = false;
  let isRunning = false;
  let isQueued = false;
  let isFailing = false;
  let poll: ReturnType<typeof setInterval> | undefined;
  let forget = (): void => {};
  let underWay: Promise<void> = Promise.resolve();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  let hasBuckets = true;

  const round = async (): Promise<void> => {
    if (isStopping) return;
    lookedAtMs = clock.uptimeMs();
    const known = await sites.all();
    hasBuckets = known.length > 0;
    await Promise.all(known.filter((site) => site.isDoubtful()).map((site) => site.ping()));
    for (const site of known.filter(({ health }) => health.state === "up")) await clear(site);
    if (lookedAtMs - sweptAtMs >= sweepEveryMs) {
      await sweepParts(db, new Date(clock.now().getTime() - abandonedMs));
      sweptAtMs = lookedAtMs;
    }
    const home = sites.current();
    if (home === null || home.health.state === "up") {
      const isSame = () => sites.current() === home;
      await moveObjects(parts, { home, shouldStop: () => isStopping || !isSame() });
      for (const site of known.filter(({ health }) => health.state === "up")) await clear(site);
    }
    await sites.tidy();
  };

  const clear = async (site: BucketSite): Promise<void> => {
    const due = await selectLeftovers(db, { bucket: site.id, now: clock.now(), limit: leftoversAtOnce });
    for (const { bucket: id, name } of due) {
      if (isStopping) return;
      try {
        await site.use((bucket) => bucket.discard(name));
      } catch (error) {
        // It is noted still.
        if (error instanceof BucketError) return;
        throw error;
      }
      await forgetLeftover(db, { bucket: id, name });
    }
  };

  const look = (): Promise<void> => {
    isQueued = true;
    underWay = underWay
      .then(() => {
        isQueued = false;
        return round();
      })
      .then(() => {
        isFailing = false;
      })
      .catch((error) => {
        // The next look tries again; the log gets one line for each time that it goes wrong.
        if (!isFailing) log.warn("stored objects cannot be looked after", { error: describeError(error) });
        isFailing = true;
      });
    return underWay;
  };

  const wake = (): void => {
    if (isRunning && !isStopping && !isQueued) void look();
  };

  return {
    start: () => {
      isRunning = true;
      forget = settings.subscribe(wake);
      poll = setInterval(() => {
        if (hasBuckets || clock.uptimeMs() - lookedAtMs >= idleMs) wake();
      }, pollMs);
      wake();
    },
    wake,
    look,
    stop: async () => {
      isStopping = true;
      forget();
      clearInterval(poll);
      // A call to a bucket that hangs is ended: what it was about is done again.
      const cut = setTimeout(sites.close, graceMs);
      await underWay;
      clearTimeout(cut);
      sites.close();
    },
  };
};
