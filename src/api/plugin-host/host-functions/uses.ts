import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { PermissionName } from "#contract/plugins.ts";
import { addUses, type UseCount } from "./uses-store.ts";

/** Counts uses of permissions in memory, and stores them from time to time. */
export type Uses = {
  used(plugin: string, permission: PermissionName): void;
  refused(plugin: string, permission: PermissionName): void;
  /** Stores what was counted; what cannot be stored is counted on. */
  flush(): Promise<void>;
};

/** Begins with nothing counted. */
export const createUses = ({ db, clock, log }: Pick<Services, "db" | "clock" | "log">): Uses => {
  const counts = new Map<string, UseCount>();

  const countOf = (plugin: string, permission: string): UseCount => {
    const key = `${plugin} ${permission}`;
    const known = counts.get(key) ?? { plugin, permission, used: 0, refused: 0, lastUsedAt: null };
    counts.set(key, known);
    return known;
  };

  return {
    used: (plugin, permission) => {
      const count = countOf(plugin, permission);
      count.used += 1;
      count.lastUsedAt = clock.now();
    },
    refused: (plugin, permission) => {
      countOf(plugin, permission).refused += 1;
    },
    flush: async () => {
      const taken = [...counts.values()];
      counts.clear();
      if (taken.length === 0) return;
      // In one order everywhere, so that two servers do not wait for each other.
      const sorted = taken.sort((a, b) =>
        `${a.plugin} ${a.permission}` < `${b.plugin} ${b.permission}` ? -1 : 1,
      );
      try {
        await addUses(db, sorted);
      } catch (error) {
        log.warn("uses of plugins could not be stored", { error: describeError(error) });
        for (const { plugin, permission, used, refused, lastUsedAt } of taken) {
          const count = countOf(plugin, permission);
          count.used += used;
          count.refused += refused;
          count.lastUsedAt ??= lastUsedAt;
        }
      }
    },
  };
};
