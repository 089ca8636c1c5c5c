import type { ActivityRecorder } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { BucketError } from "#api/core/objects.ts";
import type { SettingsService } from "#api/core/settings.ts";
import type { BucketSite, BucketSites } from "./bucket-sites.ts";
import type { ObjectCopies } from "./create-storage.ts";
import {
  countAstray,
  endProgress,
  forgetLeftover,
  giveBackLease,
  type Progress,
  readProgress,
  readSettledHome,
  type StoredObject,
  selectAstray,
  selectLeftovers,
  sweepParts,
  takeLease,
  writeProgress,
  writeSettledHome,
} from "./store.ts";

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

type StorageWorkerParts = MoveParts & {
  db: Database;
  clock: Clock;
  log: Log;
  sites: BucketSites;
  settings: SettingsService;
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
        // It is recorded still.
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
        if (!isFailing) log.warn("stored objects cannot be maintained", { error: describeError(error) });
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
      forget = settings.subscribe(["bucket"], wake);
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

type MoveParts = {
  db: Database;
  clock: Clock;
  log: Log;
  activity: ActivityRecorder;
  copies: ObjectCopies;
  /** Tells this worker from others. */
  holder: string;
  /** Waits between two objects, so that others get their share; `tookMs` is what the last one took. */
  rest: (tookMs: number) => Promise<void>;
};

/** Where all objects are to be, and whether to continue. */
type Move = { home: BucketSite | null; shouldStop: () => boolean };

// More than reading and writing the largest object takes; a second worker would only do the same twice.
const leaseMs = 120_000;
const pageRows = 50;

/**
 * Moves objects that are not at home, one after the other. Whatever ends it, the next call continues from there: an object
 * is in one place or in the other, and never in none. Only one worker of all replicas is at it.
 */
const moveObjects = async (parts: MoveParts, { home, shouldStop }: Move): Promise<void> => {
  const { db, clock, holder } = parts;
  const to = home?.id ?? null;
  if ((await countAstray(db, to)) > 0) {
    const lease = () => {
      const now = clock.now();
      return takeLease(db, { holder, now, until: new Date(now.getTime() + leaseMs) });
    };
    if (!(await lease())) return;
    try {
      await moveAll(parts, { home, shouldStop: async () => shouldStop() || !(await lease()) });
    } finally {
      await giveBackLease(db, holder);
    }
    if ((await countAstray(db, to)) > 0) return;
  }
  await finish(parts, to);
};

const moveAll = async (
  parts: MoveParts,
  { home, shouldStop }: { home: BucketSite | null; shouldStop: () => Promise<boolean> },
): Promise<void> => {
  const { db, clock, log, rest } = parts;
  const to = home?.id ?? null;
  const begun: Progress = (await readProgress(db, to)) ?? { to, moved: 0, bytes: 0, failed: 0 };
  let progress = { ...begun, failed: 0 };
  await writeProgress(db, progress);
  const failed: string[] = [];
  let after = "";
  while (true) {
    const page = await selectAstray(db, { home: to, after, limit: pageRows });
    for (const object of page) {
      if (await shouldStop()) return;
      // Nothing gets through for the time being; the next look continues.
      if (home?.health.state === "away") return;
      const startedAtMs = clock.uptimeMs();
      if (await moveOne(parts, { object, home }))
        progress = { ...progress, moved: progress.moved + 1, bytes: progress.bytes + object.sizeBytes };
      else {
        failed.push(object.key);
        progress = { ...progress, failed: failed.length };
      }
      await writeProgress(db, progress);
      after = object.key;
      await rest(clock.uptimeMs() - startedAtMs);
    }
    if (page.length < pageRows) break;
  }
  if (failed.length > 0)
    log.warn("some stored objects could not be moved yet", { count: failed.length, first: failed[0] });
};

/** Resolves to whether the object need not be looked at again. */
const moveOne = async (
  { copies, log }: MoveParts,
  { object, home }: { object: StoredObject; home: BucketSite | null },
): Promise<boolean> => {
  const bytes = await copies.read(object);
  if (typeof bytes === "string") return false;
  const { version, bucket: _, ...fields } = object;
  try {
    await copies.write({ ...fields, bytes, instead: version }, { site: home });
    return true;
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    log.debug("a stored object could not be moved", { key: object.key, error: describeError(error) });
    return false;
  }
};

/** All objects are at home. That they came from another home is recorded, in the transaction that ends the count. */
const finish = async ({ db, activity, clock }: MoveParts, to: string | null): Promise<void> => {
  const from = await readSettledHome(db);
  const progress = await readProgress(db, to);
  if (from === to && progress === null) return;
  await db.transaction(async (tx) => {
    const isOurs = await endProgress(tx);
    await writeSettledHome(tx, to);
    if (from === to || !isOurs || progress === null) return;
    await activity.record(tx, {
      entry: {
        type: "admin_action",
        action: "Moved stored files",
        description: `${progress.moved} ${progress.moved === 1 ? "file" : "files"} from ${wordsFor(from)} to ${wordsFor(to)}`,
        after: { files: progress.moved, sizeBytes: progress.bytes, from: wordsFor(from), to: wordsFor(to) },
      },
      source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
      at: clock.now(),
    });
  });
  activity.wake();
};

const wordsFor = (home: string | null): string => home ?? "the database";
