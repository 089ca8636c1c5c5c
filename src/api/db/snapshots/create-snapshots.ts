import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { shrinkWhenIdle } from "#api/core/timing.ts";
import { freeBytesIn, syncPath } from "../embedded/free-space.ts";
import { type ClusterEntry, type RunningCluster, readCluster } from "./read-cluster.ts";
import { checkSnapshot, copyCluster, packCluster } from "./restore-snapshot.ts";
import {
  listSnapshots,
  type SnapshotFile,
  snapshotName,
  snapshotPath,
  snapshotsFolder,
  surplusOf,
} from "./snapshot-files.ts";

/** Makes copies of the embedded database while it serves, one at a time. */
export type Snapshots = {
  /**
   * Makes one, checks that it can be read, and removes those that are no longer kept; `before` is the version that is
   * about to migrate the database. Throws `STORAGE_FULL` where it would leave too little disk space; a failure leaves nothing.
   */
  take(before?: string): Promise<SnapshotFile>;
  /**
   * Writes a consistent copy into `folder`, which must not be there yet. As `database` in a data folder of its own,
   * another database process can open it. It is not synced. Throws `STORAGE_FULL` as {@link Snapshots.take} does; a failure
   * leaves nothing.
   */
  copyCluster(folder: string): Promise<void>;
  /** Those that there are, as {@link listSnapshots} orders them. */
  list(): Promise<SnapshotFile[]>;
  /** Whether something was written since the last one that was made here. */
  hasNews(): Promise<boolean>;
  /** Lets the engine throw away its log where it has become long: without background processes it never does. */
  shortenLog(): Promise<void>;
  /** Ends what is under way; it fails. */
  stop(): Promise<void>;
};

/**
 * See {@link Snapshots}; `reserveBytes` is the disk space that they leave free, `longLogBytes` what a long log is,
 * `freeBytes` the free disk space.
 */
export const createSnapshots = (options: {
  dataDir: string;
  cluster: Omit<RunningCluster, "signal">;
  clock: Clock;
  reserveBytes?: number;
  longLogBytes?: number;
  freeBytes?: () => Promise<number>;
}): Snapshots => {
  const { dataDir, clock, reserveBytes = defaultReserveBytes, longLogBytes = defaultLongLogBytes } = options;
  const freeBytes = options.freeBytes ?? (() => freeBytesIn(dataDir));
  const folder = snapshotsFolder(dataDir);
  const closing = new AbortController();
  let copiedUpTo = "";
  const cluster: RunningCluster = { ...options.cluster, signal: closing.signal };
  const { db, patiently } = cluster;
  let last: Promise<unknown> = Promise.resolve();

  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(() => {
      closing.signal.throwIfAborted();
      return work();
    });
    last = run.catch(() => {});
    return run;
  };

  const leaveRoom = async (neededBytes: number): Promise<void> => {
    if ((await freeBytes()) < neededBytes + reserveBytes) throw new AppError("STORAGE_FULL");
  };

  /** Other writes, by the database too, reduce the free space in the meantime. */
  async function* leavingRoom(entries: AsyncIterable<ClusterEntry>): AsyncGenerator<ClusterEntry> {
    let since = 0;
    // Within a file too: a table's first gigabyte is one.
    async function* looking(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        since += chunk.byteLength;
        if (since > lookAgainBytes) {
          await leaveRoom(0);
          since = 0;
        }
        yield chunk;
      }
    }
    for await (const entry of entries)
      yield entry.kind === "file" ? { ...entry, bytes: () => looking(entry.bytes()) } : entry;
  }

  const copy = async (target: string): Promise<void> => {
    await leaveRoom(0);
    await copyCluster(leavingRoom(readCluster(cluster)), target);
  };

  const make = async (before: string | null): Promise<SnapshotFile> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const existing = await listSnapshots(dataDir, clock.now());
    await leaveRoom((existing[0]?.sizeBytes ?? 0) * growth);
    const name = freeName(clock.now(), before, existing);
    const path = snapshotPath(dataDir, name);
    const draft = `${path}.part`;
    let end = "";
    const onEnd = (position: string): void => {
      end = position;
    };
    await removeDrafts(folder);
    try {
      await packCluster(leavingRoom(readCluster({ ...cluster, onEnd })), draft);
      await syncPath(draft);
      await checkSnapshot(draft);
      await rename(draft, path);
      await syncPath(folder);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    copiedUpTo = end;
    const files = await listSnapshots(dataDir, clock.now());
    const made = files.find((file) => file.name === name);
    if (made === undefined) throw new Error(`the snapshot ${name} was removed by another process`);
    for (const surplus of surplusOf(files, made)) await rm(surplus.path, { force: true });
    return made;
  };

  return {
    take: (before) => oneAtATime(() => make(before ?? null)),
    copyCluster: (target) => oneAtATime(() => copy(target)),
    list: () => listSnapshots(dataDir, clock.now()),
    hasNews: async () => {
      const [row] = await db.execute<{ position: string }>(
        sql`select pg_current_wal_insert_lsn()::text as position`,
      );
      return row?.position !== copiedUpTo;
    },
    shortenLog: async () => {
      const [row] = await db.execute<{ bytes: number }>(sql`
        select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`);
      if (row === undefined || row.bytes < longLogBytes) return;
      // Not during a copy, which ends with the log of what was written meanwhile.
      await oneAtATime(() => patiently(() => db.execute(sql`checkpoint`)));
    },
    stop: async () => {
      closing.abort(new AppError("SHUTTING_DOWN"));
      await last;
    },
  };
};

const defaultReserveBytes = 256 * 1024 * 1024;
const lookAgainBytes = 4 * 1024 * 1024;
const growth = 1.2;
const defaultLongLogBytes = 64 * 1024 * 1024;

/** What a process that was killed left behind. */
const removeDrafts = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (name.endsWith(".part")) await rm(join(folder, name), { force: true });
  }
};

/** The name for one made `now`; a second that has one already lends its successor's. */
const freeName = (now: Date, before: string | null, existing: readonly SnapshotFile[]): string => {
  const second = (at: Date): number => Math.floor(at.getTime() / 1000);
  const taken = new Set(existing.map(({ madeAt }) => second(madeAt)));
  for (let at = second(now); ; at += 1) if (!taken.has(at)) return snapshotName(new Date(at * 1000), before);
};

/** Looks after the snapshots of a data folder while its database serves. */
type SnapshotSchedule = {
  /** Does what is due: shortens the log, makes a snapshot every 15 minutes if something was written. Never throws. */
  look(): Promise<void>;
  stop(): void;
};

/** Looks every half minute. `freeBytes` is the free disk space. */
export const startSnapshotSchedule = (options: {
  snapshots: Snapshots;
  dataDir: string;
  clock: Clock;
  log: Log;
  freeBytes?: () => Promise<number>;
}): SnapshotSchedule => {
  const { snapshots, dataDir, clock, log } = options;
  const freeBytes = options.freeBytes ?? (() => freeBytesIn(dataDir));
  let triedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;
  let endShrinking = () => {};

  const isDue = async (): Promise<boolean> => {
    if (clock.uptimeMs() - triedAt < everyMs) return false;
    const [newest] = await listSnapshots(dataDir, clock.now());
    const ageMs = newest === undefined ? everyMs : clock.now().getTime() - newest.madeAt.getTime();
    // Where all are from the future, they were made before the clock was corrected.
    return (ageMs < 0 || ageMs >= everyMs) && (await snapshots.hasNews());
  };

  /** On a full disk the database must stop writing: snapshots are not to be the reason. */
  const makeRoom = async (): Promise<void> => {
    const files = await listSnapshots(dataDir, clock.now());
    while (files.length > 1 && (await freeBytes()) < scarceBytes) {
      const oldest = files.pop();
      if (oldest === undefined) return;
      await rm(oldest.path, { force: true });
      log.warn("a snapshot of the database was removed: the disk is nearly full", { name: oldest.name });
    }
  };

  const work = async (): Promise<void> => {
    await makeRoom();
    await snapshots.shortenLog();
    if (!(await isDue())) return;
    triedAt = clock.uptimeMs();
    const { name, sizeBytes } = await snapshots.take();
    log.debug("a snapshot of the database was made", { name, sizeBytes });
    // Making one takes some 30 MB, which are not needed for the next quarter of an hour.
    endShrinking();
    endShrinking = shrinkWhenIdle();
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await work();
    } catch (error) {
      if (error instanceof AppError && error.kind === "SHUTTING_DOWN") return;
      const isFull = error instanceof AppError && error.kind === "STORAGE_FULL";
      log.warn(isFull ? fullText : "no snapshot of the database could be made", {
        error: describeError(error),
      });
    } finally {
      isLooking = false;
    }
  };

  const timer = setInterval(() => void look(), lookEveryMs);
  const stop = () => {
    clearInterval(timer);
    endShrinking();
  };
  return { look, stop };
};

const fullText = "no snapshot of the database was made: the disk is nearly full";
const everyMs = 15 * 60 * 1000;
const lookEveryMs = 30 * 1000;
// Twice what the database keeps free for itself.
const scarceBytes = 128 * 1024 * 1024;
