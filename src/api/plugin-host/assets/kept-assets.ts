import { join } from "node:path";
import { and, eq, like } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pluginVersions } from "#api/db/schema.ts";
import type { DesiredPlugin } from "../host-store.ts";
import { hashInSlices, listFiles, type PackageFile } from "../package/content-hash.ts";
import type { PackagePlace } from "../package/package-source.ts";
import type { ReadPackage } from "../package/read-package.ts";
import type { AssetSource, PluginFiles } from "./asset-source.ts";

export type KeptAssetsOptions = {
  db: Database;
  /** Where packages are unpacked. */
  folder: string;
  /** Reads a package that may be used here, and unpacks it. Rejects when it cannot be had, or is not trusted. */
  open: (place: PackagePlace) => Promise<ReadPackage>;
};

/** The files of plugins' kept versions, and which plugins are on. */
export type KeptAssets = Omit<AssetSource, "siteScripts"> & {
  reach(desired: readonly DesiredPlugin[]): void;
};

// Of each only the list of its files is remembered.
const mostRemembered = 64;

/** Serves from the unpacked packages; each file is compared with its hash before anybody gets it. */
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
    const { manifest, files } = await open(place);
    const known = new Map((await listFiles(files)).map((file) => [file.path, file]));
    const root = join(folder, name, `${place.version}-${sha12}`);
    return {
      manifest,
      sha12,
      read: async (path) => {
        const file = known.get(path);
        if (file === undefined) return null;
        const bytes = await readWhole(root, file);
        if (bytes !== null) return bytes;
        // Somebody removed or changed it: the package has it still.
        return (await open(place)).files.get(path) ?? null;
      },
    };
  };

  const remember = (name: string, sha12: string): Promise<PluginFiles | null> => {
    const key = `${name} ${sha12}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const opening = openFiles(name, sha12).catch(() => null);
    remembered.set(key, opening);
    // What is not there now may be in a moment.
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

/** `null` when it is not there as it was. */
const readWhole = async (root: string, { path, sha256 }: PackageFile): Promise<Uint8Array | null> => {
  try {
    const bytes = await Bun.file(join(root, path)).bytes();
    return (await hashInSlices(bytes)) === sha256 ? bytes : null;
  } catch {
    return null;
  }
};
