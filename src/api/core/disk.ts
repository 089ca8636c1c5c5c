/** How much room there is where the data folder lies; `freeBytes` is `null` where the file system does not say. */
export type DiskState = {
  freeBytes: number | null;
  /** Less is left than the embedded database may need to finish what it has begun: it refuses writes then. */
  isLow: boolean;
};

/** Knows the room in the data folder as of a second ago. */
export type DiskProbe = { read(): DiskState };
