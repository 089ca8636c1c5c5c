import { rm } from "node:fs/promises";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { shrinkWhenIdle } from "#api/core/timing.ts";
import { freeBytesIn } from "../embedded/free-space.ts";
import type { Snapshots } from "./create-snapshots.ts";
import { listSnapshots } from "./snapshot-files.ts";

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
