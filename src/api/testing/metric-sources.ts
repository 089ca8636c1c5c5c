import { createCounter } from "#api/core/metrics.ts";

/** Counters as a server has them, all at zero. */
export const newCounters = () => ({
  cache: createCounter(["hit", "miss"] as const),
  refusals: createCounter(["core", "plugins", "attempts"] as const),
});

/** What metrics read from the database of an installation that was never used. */
export const nothingStored = {
  oldestMail: async (): Promise<Date | null> => null,
  activities: async () => 0,
  lastBackup: async (): Promise<{ at: string; sizeBytes: number } | null> => null,
  backupDue: async (): Promise<Date | null> => null,
};
