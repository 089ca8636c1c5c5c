import type { Clock } from "#api/core/clock.ts";
import { pluginLimits } from "#contract/plugins.ts";

/** Counts refused calls of each plugin within a minute. */
export type Refusals = {
  /** Counts one; `true` exactly when the plugin has to be stopped for it. */
  add(plugin: string): boolean;
  forget(plugin: string): void;
};

/** Begins with nothing counted. */
export const createRefusals = (clock: Clock): Refusals => {
  const times = new Map<string, number[]>();
  return {
    add: (plugin) => {
      const nowMs = clock.uptimeMs();
      const recent = (times.get(plugin) ?? []).filter((at) => nowMs - at < pluginLimits.refusalsWindowMs);
      recent.push(nowMs);
      const isTooMuch = recent.length >= pluginLimits.refusalsAllowed;
      times.set(plugin, isTooMuch ? [] : recent);
      return isTooMuch;
    },
    forget: (plugin) => void times.delete(plugin),
  };
};
