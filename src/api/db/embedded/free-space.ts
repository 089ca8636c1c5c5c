import { open, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "#api/core/writable.ts";

/** The free space on the data folder's file system, at most a second old. */
type FreeSpace = {
  /** `null` until it has been measured. */
  readonly bytes: number | null;
  /** Less is left than the database may need to finish what it has begun. */
  readonly isLow: boolean;
  stop(): void;
};

/** How many bytes are free on the file system of an existing folder or file. */
export const freeBytesIn = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Whether a write failed because the file system, or what the user may keep there, is full. */
export const isFullError = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes(String(Reflect.get(Object(error), "code")));

/** Measures each second; `onSample` is called after each measurement. */
export const watchFreeSpace = (folder: string, onSample: () => void): FreeSpace => {
  const space: Writable<FreeSpace> = {
    bytes: null,
    isLow: false,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const sample = async (): Promise<void> => {
    // A file system that does not report it counts as having space: the database's own errors still show when it is full.
    space.bytes = await freeBytesIn(folder).catch(() => null);
    space.isLow = space.bytes !== null && space.bytes < lowBytes;
    if (isStopped) return;
    onSample();
    timer = setTimeout(() => void sample(), sampleEveryMs);
  };
  void sample();
  return space;
};

const sampleEveryMs = 1000;
/** Below this the embedded database refuses writes. */
export const lowBytes = 64 * 1024 * 1024;

/** Puts everything below `folder` on the disk. Many at a time, so that the file system can write them together. */
export const syncTree = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const syncSome = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: syncsAtOnce }, syncSome));
};

const syncsAtOnce = 32;

/** Puts a file, or the names in a folder, on the disk. */
export const syncPath = async (path: string): Promise<void> => {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
