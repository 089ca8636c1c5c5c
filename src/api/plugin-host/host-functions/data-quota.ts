import type { Services } from "#api/core/context.ts";
import { pluginFilesPrefix } from "./file-functions.ts";
import { sumBytes } from "./kv-store.ts";
import { PluginFault } from "./plugin-fault.ts";

/** A value under a key, or a file under a path, that replaces what is there; `plugin` is the key of its data. */
export type Storing = { plugin: string; bytes: number } & ({ key: string } | { path: string });

/** Makes room for something among what a plugin keeps. Throws `LIMIT_EXCEEDED` when its quota is used up. */
export type MakeRoom = (storing: Storing) => Promise<void>;

export type DataQuotaOptions = Pick<Services, "db" | "clock" | "objects"> & { quotaBytes: number };

/** Other servers write too: what is known of a plugin's data is looked up again after this long. */
const knownMs = 10_000;

/** Counts what is written, from what is stored; near the quota it looks at what is stored each time. */
export const createDataQuota = ({ db, clock, objects, quotaBytes }: DataQuotaOptions): MakeRoom => {
  const known = new Map<string, { bytes: number; atMs: number }>();

  /** What the plugin keeps beside what is replaced. */
  const measure = async ({ plugin, ...place }: Storing): Promise<number> => {
    const key = "key" in place ? place.key : null;
    const path = "path" in place ? `${pluginFilesPrefix(plugin)}${place.path}` : null;
    const [values, files] = await Promise.all([
      sumBytes(db, { plugin, except: key, now: clock.now() }),
      objects.list(pluginFilesPrefix(plugin)),
    ]);
    return files.reduce((sum, file) => sum + (file.key === path ? 0 : file.sizeBytes), values);
  };

  return async (storing) => {
    const { plugin, bytes } = storing;
    const nowMs = clock.uptimeMs();
    const last = known.get(plugin);
    const isFresh = last !== undefined && nowMs - last.atMs < knownMs && last.bytes + bytes <= quotaBytes;
    const kept = isFresh ? last : { bytes: await measure(storing), atMs: nowMs };
    if (kept.bytes + bytes > quotaBytes)
      throw new PluginFault(
        "LIMIT_EXCEEDED",
        `The plugin keeps ${inMB(kept.bytes)} of at most ${inMB(quotaBytes)} MB, and has no room for ${bytes} bytes more`,
      );
    kept.bytes += bytes;
    known.set(plugin, kept);
  };
};

const inMB = (bytes: number): string => (bytes / 1_000_000).toFixed(1).replace(".0", "");
