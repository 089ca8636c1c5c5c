import { sql } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { PluginFault } from "./host-function.ts";

/** A value of a key, or a file of a path, that replaces the existing one; `plugin` is the key of its data. */
type Storing = { plugin: string; bytes: number } & ({ key: string } | { path: string });

/**
 * Writes to a plugin's storage if it fits. Rejects with `LIMIT_EXCEEDED` if its quota is used up, and with what `write`
 * throws.
 */
export type KeepWithin = <T>(storing: Storing, write: () => Promise<T>) => Promise<T>;

export type DataQuotaOptions = Pick<Services, "db" | "clock" | "objects"> & { quotaBytes: number };

/** Other servers write, too: a plugin's usage is read again after this long. */
const knownMs = 10_000;

/** `written` counts all bytes since the start, `underWay` those of running writes. */
type Kept = { known: { bytes: number; atMs: number } | null; written: number; underWay: number };

/**
 * Tracks usage from what is stored; near the quota it is read each time. Each write on this server sees those before
 * it, stored or not, so that concurrent writes don't exceed the quota together.
 */
export const createDataQuota = ({ db, clock, objects, quotaBytes }: DataQuotaOptions): KeepWithin => {
  const plugins = new Map<string, Kept>();

  /** The plugin's usage without what is replaced. */
  const measure = async ({ plugin, ...place }: Storing): Promise<number> => {
    const key = "key" in place ? place.key : null;
    const path = "path" in place ? `${pluginFilesPrefix(plugin)}${place.path}` : null;
    const [values, files] = await Promise.all([
      sumBytes(db, { plugin, except: key, now: clock.now() }),
      objects.list(pluginFilesPrefix(plugin)),
    ]);
    return files.reduce((sum, file) => sum + (file.key === path ? 0 : file.sizeBytes), values);
  };

  /** The plugin's usage, with all writes that began before this one. */
  const bytesBefore = async (kept: Kept, storing: Storing): Promise<number> => {
    const nowMs = clock.uptimeMs();
    const { known } = kept;
    if (known !== null && nowMs - known.atMs < knownMs && known.bytes + storing.bytes <= quotaBytes)
      return known.bytes;
    const { underWay, written } = kept;
    const before = underWay + (await measure(storing));
    kept.known = { bytes: before + kept.written - written, atMs: nowMs };
    return before;
  };

  return async (storing, write) => {
    const { plugin, bytes } = storing;
    const kept = plugins.get(plugin) ?? { known: null, written: 0, underWay: 0 };
    plugins.set(plugin, kept);
    const before = bytesBefore(kept, storing);
    // Counted in the same step, so that the next call sees it.
    kept.underWay += bytes;
    kept.written += bytes;
    if (kept.known !== null) kept.known.bytes += bytes;
    try {
      const keptBytes = await before;
      if (keptBytes + bytes > quotaBytes)
        throw new PluginFault(
          "LIMIT_EXCEEDED",
          `The plugin keeps ${inMB(keptBytes)} of at most ${inMB(quotaBytes)} MB; ${bytes} more bytes don't fit`,
        );
      return await write();
    } catch (error) {
      if (kept.known !== null) kept.known.bytes -= bytes;
      throw error;
    } finally {
      kept.underWay -= bytes;
    }
  };
};

/** Bytes of a plugin's keys and values, without those of the key `except`. */
const sumBytes = async (
  db: Database,
  { plugin, except, now }: { plugin: string; except: string | null; now: Date },
): Promise<number> => {
  const [row] = await db.execute<{ bytes: number }>(sql`
    select coalesce(sum(octet_length(key) + octet_length(value)), 0)::float8 as bytes from plugin_kv
    where plugin = ${plugin} and key is distinct from ${except} and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)`);
  return row?.bytes ?? 0;
};

const inMB = (bytes: number): string => (bytes / 1_000_000).toFixed(1).replace(".0", "");

/** Prefix of a plugin's files in the object store. */
export const pluginFilesPrefix = (dataKey: string): string => `plugin-files/${dataKey}/`;
