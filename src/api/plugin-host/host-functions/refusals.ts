import type { Clock } from "#api/core/clock.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** Counts refused calls of each plugin within a minute. */
export type Refusals = {
  /** Counts one; resolves to how many there were within a minute. */
  add(key: string): number;
  forget(key: string): void;
};

/** Begins with nothing counted. */
export const createRefusals = (clock: Clock): Refusals => {
  const times = new Map<string, number[]>();
  return {
    add: (key) => {
      const nowMs = clock.uptimeMs();
      const recent = (times.get(key) ?? []).filter((at) => nowMs - at < pluginLimits.refusalsWindowMs);
      // No more than that is of interest to anyone.
      const kept = [...recent, nowMs].slice(-(pluginLimits.refusalsAllowed + 1));
      times.set(key, kept);
      return kept.length;
    },
    forget: (key) => void times.delete(key),
  };
};
