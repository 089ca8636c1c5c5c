import { statfs } from "node:fs/promises";

/** Knows how much room the data folder's file system has, as of a second ago. */
export type FreeSpace = {
  /** `null` until it has been measured. */
  readonly bytes: number | null;
  /** Less is left than the database may need to finish what it has begun. */
  readonly isLow: boolean;
  stop(): void;
};

/** How many bytes are free on the file system of a folder or file that is there. */
export const freeBytesIn = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Whether a write failed because the file system, or what the user may keep there, is full. */
export const isFullError = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes(String(Reflect.get(Object(error), "code")));

/** Measures each second; `onSample` is called after each measurement. */
export const watchFreeSpace = (folder: string, onSample: () => void): FreeSpace => {
  let bytes: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const sample = async (): Promise<void> => {
    try {
      bytes = await freeBytesIn(folder);
    } catch {
      // A file system that cannot say counts as roomy: the database's own errors still tell when it is full.
      bytes = null;
    }
    if (isStopped) return;
    onSample();
    timer = setTimeout(() => void sample(), sampleEveryMs);
  };
  void sample();

  return {
    get bytes() {
      return bytes;
    },
    get isLow() {
      return bytes !== null && bytes < lowBytes;
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

const sampleEveryMs = 1000;
/** Below this the embedded database refuses writes. */
export const lowBytes = 64 * 1024 * 1024;
