import { sql } from "drizzle-orm";
import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { PluginFault } from "./host-function.ts";

/** A value under a key, or a file under a path, that replaces what is there; `plugin` is the key of its data. */
export type Storing = { plugin: string; bytes: number } & ({ key: string } | { path: string });

/**
 * Writes something into what a plugin keeps, if there is room for it. Rejects with `LIMIT_EXCEEDED` when its quota is used
 * up, and with what `write` does.
 */
export type KeepWithin = <T>(storing: Storing, write: () => Promise<T>) => Promise<T>;

export type DataQuotaOptions = Pick<Services, "db" | "clock" | "objects"> & { quotaBytes: number };

/** Other servers write too: what is known of a plugin's data is looked up again after this long. */
const knownMs = 10_000;

/** `written` counts all bytes since the start, `underWay` those of writes that have begun and are not over. */
type Kept = { known: { bytes: number; atMs: number } | null; written: number; underWay: number };

/**
 * Counts what is written, from what is stored; near the quota it looks at what is stored each time. Writes of this server
 * see those before them, stored or not, so that many at once do not exceed the quota together.
 */
export const createDataQuota = ({ db, clock, objects, quotaBytes }: DataQuotaOptions): KeepWithin => {
  const plugins = new Map<string, Kept>();

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

  /** What the plugin keeps, with all writes that began before this one. */
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
    // Counted in the same step: whoever comes next sees it.
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

/** Bytes of a plugin's keys and values; those of the key `except` are left out. */
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

/** Where the files of a plugin lie in the object store. */
export const pluginFilesPrefix = (dataKey: string): string => `plugin-files/${dataKey}/`;
