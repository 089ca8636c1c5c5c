import { and, eq, like } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pluginVersions } from "#api/db/schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { DesiredPlugin } from "../life-cycle/host-store.ts";
import { type PackagePlace, readKeptFile } from "../package/package-source.ts";
import type { ReadPackage } from "../package/read-package.ts";
import type { PluginDoor } from "../runtime.ts";

/** The files of one version of a plugin. */
export type PluginFiles = {
  manifest: Manifest;
  /** The first twelve digits of its package's SHA-256, as used in URLs. */
  sha12: string;
  /** Whether the package lists a file of that path. */
  has(path: string): boolean;
  /** A file of the package by its path; `null` if the package doesn't list it. */
  read(path: string): Promise<Uint8Array | null>;
};

/** Source of plugins' files, only for enabled plugins. */
export type AssetSource = {
  /** The version with that hash, while it is kept. */
  open(name: string, sha12: string): Promise<PluginFiles | null>;
  /** The active version. */
  current(name: string): Promise<PluginFiles | null>;
  /** The scripts that running plugins add to every page, by plugin name. */
  siteScripts(): SiteScript[];
};

/** A plugin's script for every page: `script` is its URL. */
type SiteScript = { name: string; version: string; script: string };

/** For a server without plugins. */
export const noAssets: AssetSource = {
  open: async () => null,
  current: async () => null,
  siteScripts: () => [],
};

type KeptAssetsOptions = {
  db: Database;
  /** The folder where packages are kept on this server. */
  folder: string;
  /** Reads a package that may be used here, and keeps it. Rejects if it is unavailable or not trusted. */
  open: (place: PackagePlace) => Promise<ReadPackage>;
};

/** The files of plugins' kept versions, and which plugins are enabled. */
type KeptAssets = Omit<AssetSource, "siteScripts"> & {
  reach(desired: readonly DesiredPlugin[]): void;
};

// Only the list of each version's files, and where they are in its zip, is kept in memory.
const mostRemembered = 64;

/** Serves from the packages that are kept here; each file is compared with its hash before it is sent. */
export const createKeptAssets = ({ db, folder, open }: KeptAssetsOptions): KeptAssets => {
  const remembered = new Map<string, Promise<PluginFiles | null>>();
  let enabled = new Map<string, DesiredPlugin>();

  const findPlace = async (name: string, sha12: string): Promise<PackagePlace | null> => {
    const [row] = await db
      .select({
        version: pluginVersions.version,
        sha256: pluginVersions.sha256,
        objectKey: pluginVersions.objectKey,
        storedAt: pluginVersions.uploadedAt,
      })
      .from(pluginVersions)
      .where(and(eq(pluginVersions.plugin, name), like(pluginVersions.sha256, `${sha12}%`)));
    return row === undefined ? null : { name, ...row };
  };

  const openFiles = async (name: string, sha12: string): Promise<PluginFiles | null> => {
    const place = await findPlace(name, sha12);
    if (place === null) return null;
    const { manifest, entries } = await open(place);
    const openOnce = shareRunning(() => open(place));
    const read = shareRunning(async (path) => {
      const entry = entries.get(path);
      if (entry === undefined) return null;
      // `null` if someone removed or changed it: the store still has it.
      const bytes = await readKeptFile(folder, { place, entry }).catch(() => null);
      return bytes ?? (await openOnce(sha12)).files.get(path) ?? null;
    });
    return { manifest, sha12, has: (path) => entries.has(path), read };
  };

  const remember = (name: string, sha12: string): Promise<PluginFiles | null> => {
    const key = `${name} ${sha12}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const opening = openFiles(name, sha12).catch(() => null);
    remembered.set(key, opening);
    // It may be available in a moment.
    void opening.then((files) => files === null && remembered.delete(key));
    const [oldest] = remembered.keys();
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
    return opening;
  };

  return {
    reach: (desired) => {
      enabled = new Map(desired.filter(({ isEnabled }) => isEnabled).map((plugin) => [plugin.name, plugin]));
      for (const key of remembered.keys()) if (!enabled.has(key.split(" ")[0] ?? "")) remembered.delete(key);
    },
    open: async (name, sha12) => (enabled.has(name) ? remember(name, sha12) : null),
    current: async (name) => {
      const sha256 = enabled.get(name)?.stored?.sha256;
      return sha256 === undefined ? null : remember(name, sha256.slice(0, 12));
    },
  };
};

/** Calls that begin while one of the same key is running share its result. */
const shareRunning = <Result>(run: (key: string) => Promise<Result>): ((key: string) => Promise<Result>) => {
  const running = new Map<string, Promise<Result>>();
  return (key) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const result = run(key).finally(() => running.delete(key));
    running.set(key, result);
    return result;
  };
};

/** The scripts for every page, while their plugins run. */
export type SiteScripts = { door: PluginDoor; list(): SiteScript[] };

/** Keeps the site scripts of plugins that run here and were granted `ui.site`. The list needs no lookup. */
export const createSiteScripts = (): SiteScripts => {
  const scripts = new Map<string, SiteScript>();
  const remove = (name: string): void => void scripts.delete(name);
  return {
    door: {
      open: ({ manifest: { name, frontend }, version, sha256, granted }) => {
        remove(name);
        const isGranted = granted.some((permission) => permission.name === "ui.site");
        if (frontend === null || frontend.site === null || !isGranted) return;
        scripts.set(name, { name, version, script: assetPath(name, sha256.slice(0, 12), frontend.site) });
      },
      suspend: remove,
      close: remove,
    },
    list: () => [...scripts.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
};

/** URL of a file of a package. */
export const assetPath = (name: string, sha12: string, path: string): string =>
  `/api/plugins/${name}/assets/${sha12}/${path}`;
