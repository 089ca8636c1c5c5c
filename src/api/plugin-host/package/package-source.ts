import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ObjectStore } from "#api/core/objects.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { StartFailure } from "../runtime.ts";
import { contentHash, hashInSlices, listFiles, type PackageFile } from "./content-hash.ts";
import type { TrustRules } from "./judge.ts";
import { type ReadPackage, readPackage } from "./read-package.ts";
import { PackageError, readZip } from "./read-zip.ts";

/** Which package, and where it is stored. */
export type PackagePlace = {
  name: string;
  version: string;
  sha256: string;
  objectKey: string | null;
  /** `null` for one that was just uploaded. */
  storedAt: Date | null;
};

/** Gets packages, from this machine if they were used before. */
export type PackageSource = {
  /**
   * The package with its files unpacked here, verified with today's keys. Throws a {@link StartFailure}: `away` if it
   * is unavailable at the moment, `distrust` if it differs from the stored package.
   */
  open(place: PackagePlace, trust: TrustRules): Promise<ReadPackage>;
  /** Removes local files of packages that are no longer needed; the first time, also incomplete ones. */
  sweep(needed: readonly CachedPackage[]): Promise<void>;
};

/** A package that may be stored here. */
type CachedPackage = Pick<PackagePlace, "name" | "version" | "sha256">;

type PackageSourceOptions = {
  /** Contains one folder per plugin; created when needed. */
  folder: string;
  objects: Pick<ObjectStore, "get">;
  bundled: readonly BundledPlugin[];
};

/** Stores packages and their files in a folder, which can be removed at any time. */
export const createPackageSource = ({ folder, objects, bundled }: PackageSourceOptions): PackageSource => {
  let hasSwept = false;

  const fetchBytes = async ({ name, objectKey }: PackagePlace): Promise<Uint8Array> => {
    const found =
      objectKey === null
        ? ((await bundled.find((plugin) => plugin.name === name)?.packed()) ?? null)
        : await objects.get(objectKey);
    if (found === null) throw new StartFailure("away", "Its package is missing from storage");
    return found;
  };

  const fetchPackage = async (place: PackagePlace, trust: TrustRules): Promise<ReadPackage> => {
    const bytes = await fetchBytes(place).catch((cause) => {
      if (cause instanceof StartFailure) throw cause;
      throw new StartFailure("away", "Its package can't be read at the moment", { cause });
    });
    const read = await readPackage(bytes, { trust }).catch((cause) => {
      throw new StartFailure("distrust", "Its stored package was changed: it can't be read", { cause });
    });
    if (!isMeant(read, place))
      throw new StartFailure("distrust", "Its stored package was changed: its bytes differ");
    await keep(bytes, zipIn(folder, place));
    return read;
  };

  return {
    open: async (place, trust) => {
      await clearWay(folder, place.name);
      const read = (await readCached(place, folder, trust)) ?? (await fetchPackage(place, trust));
      try {
        await unpackPackage(read, folder);
      } catch (cause) {
        throw new StartFailure("away", "Its files can't be written on this server", { cause });
      }
      return read;
    },
    sweep: async (needed) => {
      if (await isLink(folder)) throw new Error(`${folder} is a link`);
      const entries = await namesIn(folder);
      for (const name of hasSwept ? entries.filter((entry) => !entry.startsWith(".")) : entries) {
        const ours = needed.filter((one) => one.name === name).map(folderName);
        if (ours.length === 0 || (await isLink(join(folder, name)))) {
          await rm(join(folder, name), { recursive: true, force: true });
          continue;
        }
        for (const entry of await namesIn(join(folder, name)))
          if (!ours.includes(entry.replace(/\.zip$/, "")))
            await rm(join(folder, name, entry), { recursive: true, force: true });
      }
      hasSwept = true;
    },
  };
};

const folderName = ({ version, sha256 }: CachedPackage): string => `${version}-${sha256.slice(0, 12)}`;

const zipIn = (folder: string, place: PackagePlace): string =>
  join(folder, place.name, `${folderName(place)}.zip`);

const isMeant = ({ sha256, manifest }: ReadPackage, place: PackagePlace): boolean =>
  sha256 === place.sha256 && manifest.name === place.name && manifest.version === place.version;

/** `null` if it is missing or invalid: the store has it. */
const readCached = async (
  place: PackagePlace,
  folder: string,
  trust: TrustRules,
): Promise<ReadPackage | null> => {
  try {
    const read = await readPackage(await readFile(zipIn(folder, place)), { trust });
    return isMeant(read, place) ? read : null;
  } catch {
    return null;
  }
};

/** Stores the bytes for the next start. Without them that start asks the store, so a failure does no harm. */
const keep = async (bytes: Uint8Array, path: string): Promise<void> => {
  const part = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, path);
  } catch {
    await rm(part, { force: true });
  }
};

/** A link may lead to someone else's files: nothing is read, written or deleted there. */
const clearWay = async (folder: string, name: string): Promise<void> => {
  if (await isLink(folder))
    throw new StartFailure(
      "away",
      "Its files can't be stored on this server: the plugins folder is a symbolic link",
    );
  // Removes the link itself, not its target.
  if (await isLink(join(folder, name))) await rm(join(folder, name), { force: true });
};

const isLink = async (place: string): Promise<boolean> => {
  try {
    return (await lstat(place)).isSymbolicLink();
  } catch {
    // A missing folder is created later, and an unreadable one fails when it is used.
    return false;
  }
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Hashes of the contents of plugins that are part of the executable, by name: now, then in earlier releases. */
export type BundledContents = ReadonlyMap<string, readonly string[]>;

/** Returns a function that reads them on its first call. */
export const createBundledContents = (
  bundled: readonly BundledPlugin[],
): (() => Promise<BundledContents>) => {
  const look = async (): Promise<BundledContents> => {
    const contents = new Map<string, readonly string[]>();
    for (const { name, packed, released } of bundled)
      contents.set(name, [await contentHash(await readZip(await packed())), ...released]);
    return contents;
  };
  let looking: Promise<BundledContents> | null = null;
  return () => {
    // Of a clone that is built meanwhile.
    looking ??= look().catch((error) => {
      looking = null;
      throw error;
    });
    return looking;
  };
};

/**
 * Writes a package's files into `{root}/{name}/{version}-{first 12 digits of its hash}` and resolves to that folder. It
 * appears there atomically, and is synced to disk by then; different content is replaced.
 */
export const unpackPackage = async (
  { files, manifest, sha256 }: Pick<ReadPackage, "files" | "manifest" | "sha256">,
  root: string,
): Promise<string> => {
  const folder = join(root, manifest.name, `${manifest.version}-${sha256.slice(0, 12)}`);
  const list = await listFiles(files);
  await inTurn(folder, async () => {
    if (!(await isWhole(folder, list))) await replace(folder, { files, list, root });
  });
  return folder;
};

const replace = async (
  folder: string,
  { files, list, root }: { files: ReadPackage["files"]; list: readonly PackageFile[]; root: string },
): Promise<void> => {
  // Next to the plugins' own folders, whose names begin with a letter.
  const staging = join(root, `.staging-${randomBytes(8).toString("hex")}`);
  try {
    await writeAll(files, staging);
    await mkdir(dirname(folder), { recursive: true });
    await moveInto(folder, { staging, list });
    await syncFolder(dirname(folder));
  } finally {
    await rm(staging, { recursive: true, force: true });
    for (const tries of [1, 2, 3]) await rm(`${staging}-old-${tries}`, { recursive: true, force: true });
  }
};

/**
 * Reads an unpacked package: exactly the files of `list`, unchanged. Throws `unpacked_modified` if one is missing,
 * different, not a regular file, or not listed.
 */
export const readUnpacked = async (
  folder: string,
  list: readonly PackageFile[],
): Promise<Map<string, Uint8Array>> => {
  const known = new Set(list.map(({ path }) => path));
  for (const path of await pathsIn(folder)) if (!known.has(path)) throw modified(path);
  const files = new Map<string, Uint8Array>();
  for (const { path, size, sha256 } of list) {
    const bytes = await readRegular(join(folder, path), { path, size });
    if (bytes.length !== size || (await hashInSlices(bytes)) !== sha256) throw modified(path);
    files.set(path, bytes);
  }
  return files;
};

const modified = (about: string, cause?: unknown): PackageError =>
  new PackageError("unpacked_modified", { about, cause });

const isWhole = async (folder: string, list: readonly PackageFile[]): Promise<boolean> => {
  try {
    await readUnpacked(folder, list);
    return true;
  } catch (error) {
    if (error instanceof PackageError) return false;
    throw error;
  }
};

/** All files below a folder, by relative path. Anything that is neither file nor folder counts as a file. */
const pathsIn = async (folder: string): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch (cause) {
    throw modified(folder, cause);
  }
};

const readRegular = async (
  place: string,
  { path, size }: { path: string; size: number },
): Promise<Uint8Array> => {
  try {
    // Neither a link nor an endless pipe.
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size !== size) throw modified(path);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw cause instanceof PackageError ? cause : modified(path, cause);
  }
};

const writeAll = async (files: ReadonlyMap<string, Uint8Array>, staging: string): Promise<void> => {
  const folders = new Set([staging]);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  for (const [path, bytes] of files) {
    const place = join(staging, path);
    for (let folder = dirname(place); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    const file = await open(place, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  for (const folder of folders) await syncFolder(folder);
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Moves the staged folder to its place. Another server on the same disk may be doing the same. */
const moveInto = async (
  folder: string,
  { staging, list, tries = 3 }: { staging: string; list: readonly PackageFile[]; tries?: number },
): Promise<void> => {
  if (await isWhole(folder, list)) return;
  if (tries === 0) throw modified(folder);
  try {
    if (await exists(folder)) await rename(folder, `${staging}-old-${tries}`);
    await rename(staging, folder);
  } catch (error) {
    // It disappeared or appeared between two steps; any other failure will occur again.
    if (!isMoved(error)) throw error;
    await moveInto(folder, { staging, list, tries: tries - 1 });
  }
};

const isMoved = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(String(error.code));

const turns = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work on the same folder in this process, however that ended. */
const inTurn = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const turn = (turns.get(folder) ?? Promise.resolve()).then(work, work);
  turns.set(folder, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(folder) === turn) turns.delete(folder);
  }
};

const exists = async (place: string): Promise<boolean> => {
  try {
    await lstat(place);
    return true;
  } catch {
    // If it can't be read, moving something there will report why.
    return false;
  }
};
