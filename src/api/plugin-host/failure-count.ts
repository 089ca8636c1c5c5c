import type { Clock } from "#api/core/clock.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** How often a plugin failed lately. */
export type FailureCount = {
  /** Counts one; resolves to how many there were within a minute. */
  add(): number;
  clear(): void;
};

/** Begins at none. */
export const createFailureCount = (clock: Clock): FailureCount => {
  let times: number[] = [];
  return {
    add: () => {
      const nowMs = clock.uptimeMs();
      times = [...times.filter((at) => nowMs - at < pluginLimits.failuresWindowMs), nowMs];
      return times.length;
    },
    clear: () => {
      times = [];
    },
  };
};
