import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { freeBytesIn, isFullError, lowBytes } from "#api/db/embedded/free-space.ts";
import { openLibc } from "#api/db/embedded/libc.ts";
import { lockFolder } from "#api/db/embedded/lock.ts";
import { openDatabase } from "#api/db/open-database.ts";

/** A restore into a data folder that this process holds. */
export type EmbeddedTarget = { dataDir: string; log: Log; clock: Clock };

/** Opens a database in a folder of its own for the length of `work`. */
export const withScratch = async <T>(
  target: EmbeddedTarget,
  work: (handle: DatabaseHandle) => Promise<T>,
): Promise<T> => {
  const handle = await openDatabase({ databaseUrl: null, isOffline: true, ...target });
  try {
    return await work(handle);
  } catch (error) {
    throw await orDiskFull(error, target.dataDir);
  } finally {
    await handle.close();
  }
};

const mb = 1024 * 1024;
// A database with nothing in it, and its log.
const emptyBytes = 80 * mb;
// Indexes and the space between rows, above the rows' own bytes.
const growth = 1.5;

/** How many bytes are free where a data folder is, or is to be. */
export const freeBytesAt = async (folder: string): Promise<number> => {
  if (!existsSync(folder) && dirname(folder) !== folder) return freeBytesAt(dirname(folder));
  return freeBytesIn(folder);
};

/** What stands against loading so many bytes of rows into a database in `folder`; `null` when there is room. */
export const roomComplaint = async (
  folder: string,
  rowBytes: number,
  freeBytes = freeBytesAt,
): Promise<string | null> => {
  const needed = emptyBytes + rowBytes * growth + lowBytes;
  const free = await freeBytes(folder);
  if (free >= needed) return null;
  return `The disk of ${folder} has too little free space: about ${Math.ceil(needed / mb)} MB are needed, ${Math.floor(free / mb)} MB are free`;
};

/** Throws `STORAGE_FULL` when there is no room for what is at least so large. */
export const demandRoom = async (folder: string, leastBytes: number): Promise<void> => {
  const complaint = await roomComplaint(folder, leastBytes);
  if (complaint !== null) throw new AppError("STORAGE_FULL", complaint);
};

/** Whether work in `folder` ended because the disk is full, whatever the database's connection said of it. */
export const isDiskFull = async (error: unknown, folder: string, freeBytes = freeBytesAt): Promise<boolean> =>
  isFullError(error) || (await freeBytes(folder)) < lowBytes;

/** What ended work in `folder`: a full disk, where {@link isDiskFull}. */
export const orDiskFull = async (
  error: unknown,
  folder: string,
  freeBytes = freeBytesAt,
): Promise<unknown> =>
  (await isDiskFull(error, folder, freeBytes))
    ? new AppError("STORAGE_FULL", `The disk of ${folder} is full; nothing was changed`, { cause: error })
    : error;

/** What the folder of a trial restore is called before its random end. */
export const trialPrefix = "verify-";

const form = /^verify-\w{6}$/;
// Between a folder's making and its being held by a database.
const youngMs = 60_000;

/**
 * Removes what trial restores that were killed left in a data folder; those that are under way hold theirs. What this
 * process may not open or remove stays.
 */
export const sweepTrials = async (dataDir: string, nowMs: number): Promise<void> => {
  for (const name of await readdir(dataDir)) {
    if (!form.test(name)) continue;
    // What is left hinders no trial, and `atrium doctor` names it.
    await sweep(join(dataDir, name), nowMs).catch(() => {});
  }
};

const sweep = async (path: string, nowMs: number): Promise<void> => {
  if (nowMs - (await stat(path)).mtimeMs < youngMs) return;
  const { isHeld } = await lockFolder(path, openLibc(), 0);
  if (isHeld) await rm(path, { recursive: true, force: true });
};
