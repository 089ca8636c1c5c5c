import { statfs } from "node:fs/promises";

/** Knows how much room the data folder's file system has, as of a second ago. */
export type FreeSpace = {
  /** `null` until it has been measured. */
  readonly bytes: number | null;
  /** Less is left than the database may need to finish what it has begun. */
  readonly isLow: boolean;
  stop(): void;
};

/** Measures each second; `onSample` is called after each measurement. */
export const watchFreeSpace = (folder: string, onSample: () => void): FreeSpace => {
  let bytes: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const sample = async (): Promise<void> => {
    try {
      const { bavail, bsize } = await statfs(folder);
      bytes = bavail * bsize;
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
