import type { Log } from "#api/core/log.ts";

/** How long to wait before the database process is started again. */
export type RestartPause = {
  /** Resolves when the next start is due, after `failures` that came quickly one after another. */
  wait(failures: number, isSpaceLow: boolean): Promise<void>;
  /** Tells what was last measured: a start that waits for room is made as soon as there is some. */
  onFreeSpace(isLow: boolean): void;
  /** Ends the wait at once. */
  end(): void;
};

/** The first restart is immediate, the next ones come later and later; on a full disk they wait for room. */
export const createRestartPause = (log: Log): RestartPause => {
  let resume: (() => void) | null = null;
  let isForSpace = false;

  const end = (): void => resume?.();

  return {
    wait: async (failures, isSpaceLow) => {
      if (failures === 0) return;
      isForSpace = isSpaceLow;
      if (isForSpace) log.error("the disk is full: the embedded database waits for room");
      const pauseMs = isForSpace ? longestMs : Math.min(shortestMs * 2 ** (failures - 1), longestMs);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      resume = null;
    },
    onFreeSpace: (isLow) => {
      if (isForSpace && !isLow) end();
    },
    end,
  };
};

const shortestMs = 100;
const longestMs = 15_000;
