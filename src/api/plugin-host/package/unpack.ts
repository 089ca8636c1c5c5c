import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashInSlices, listFiles, type PackageFile } from "./content-hash.ts";
import { PackageError } from "./package-error.ts";
import type { ReadPackage } from "./read-package.ts";

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
