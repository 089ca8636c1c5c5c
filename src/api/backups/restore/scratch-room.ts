import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import { freeBytesIn, isFullError, lowBytes } from "#api/db/embedded/free-space.ts";

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
  return `The disk of ${folder} has too little room: about ${Math.ceil(needed / mb)} MB are needed, ${Math.floor(free / mb)} MB are free`;
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
