import type { Log } from "#api/core/log.ts";
import type { DiskProbe } from "#api/core/objects.ts";
import { lowBytes, watchFreeSpace } from "./embedded/free-space.ts";

/** Watches the free disk space of `dataDir` until `stop`, with a line in the log when it gets low and one when that is over. */
export const watchDisk = (
  dataDir: string,
  log: Log,
  watch = watchFreeSpace,
): DiskProbe & { stop(): void } => {
  let isTold = false;
  let roomySamples = 0;

  const space = watch(dataDir, () => {
    const facts = { dataDir, freeBytes: space.bytes, leastBytes: lowBytes };
    roomySamples = space.isLow ? 0 : roomySamples + 1;
    if (space.isLow && !isTold) {
      isTold = true;
      log.warn("the disk of the data folder is nearly full", facts);
    } else if (isTold && roomySamples >= calmSamples) {
      isTold = false;
      log.info("the disk of the data folder has free space again", facts);
    }
  });

  return { read: () => ({ freeBytes: space.bytes, isLow: space.isLow }), stop: () => space.stop() };
};

// Around the mark it goes up and down with each file: that is one shortage, not a line each second.
const calmSamples = 5;
