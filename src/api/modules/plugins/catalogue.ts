import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { type PluginRow, selectPlugins, type VersionRow } from "./store.ts";

/** A kept version with what its package says of itself. */
export type StoredVersion = Omit<VersionRow, "manifest"> & { manifest: Manifest };

/** An installed plugin. */
export type Installed = {
  row: PluginRow;
  /** The version in force. */
  current: StoredVersion;
  /** All that are kept, that one among them. */
  versions: StoredVersion[];
};

/** The plugins that are installed, by name, and the rows of those that were removed. */
export type Catalogue = {
  installed: ReadonlyMap<string, Installed>;
  removed: ReadonlyMap<string, PluginRow>;
};

/** Reads all plugins as they are at one moment. */
export const readCatalogue = async (db: Database): Promise<Catalogue> => {
  const rows = new Map<string, PluginRow>();
  const versions = new Map<string, StoredVersion[]>();
  for (const { plugins: row, plugin_versions: version } of await selectPlugins(db)) {
    rows.set(row.name, row);
    if (version === null) continue;
    const stored = { ...version, manifest: readStoredManifest(version.manifest) };
    versions.set(row.name, [...(versions.get(row.name) ?? []), stored]);
  }
  const installed = new Map<string, Installed>();
  const removed = new Map<string, PluginRow>();
  for (const [name, row] of rows) {
    if (row.removedAt !== null) {
      removed.set(name, row);
      continue;
    }
    const kept = versions.get(name) ?? [];
    const current = kept.find(({ version }) => version === row.version);
    if (current === undefined) throw new Error(`the version in force of ${name} is not stored`);
    installed.set(name, { row, current, versions: kept });
  }
  return { installed, removed };
};

/** The installed plugin of that name. Throws `PLUGIN_NOT_FOUND`. */
export const getInstalled = ({ installed }: Catalogue, name: string): Installed => {
  const found = installed.get(name);
  if (found === undefined) throw new AppError("PLUGIN_NOT_FOUND");
  return found;
};

/**
 * A manifest as {@link storedManifest} wrote it: what was stored had been read and checked, and nobody else writes there.
 * What versions before this one did not know of has its default.
 */
const readStoredManifest = (text: string): Manifest => ({ commands: null, ...JSON.parse(text) }) as Manifest;

/** A manifest as it is kept. */
export const storedManifest = (manifest: Manifest): string => JSON.stringify(manifest);
