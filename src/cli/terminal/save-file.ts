import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CliFailure, usage } from "#cli/failure.ts";
import { printable } from "./output.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Writes a file that only its owner may read, whole or not at all: what stood there before stays until the last byte is
 * on the disk. A link is followed to its file, and a pipe or a device gets the bytes as they come; what another user has
 * put there is refused ({@link findPlaceToWrite}). Resolves to the size; throws when it cannot be written, what `bytes`
 * throws, and where it `isNew` what {@link refuseExisting} does.
 */
export const saveFile = async (
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<number> => {
  if (isNew) await refuseExisting(path);
  const { file, pour } = await findPlaceToWrite(path);
  if (file !== null) return replaceFile(file, { path, bytes, isNew });
  // What is no file is neither made nor replaced, and has nothing to be synced.
  const handle = await pour().catch((error) => unwritable(path, error));
  try {
    return await fill(handle, path, bytes);
  } finally {
    await handle.close();
  }
};

/** Throws `USAGE` when a file stands there, and what {@link findPlaceToWrite} does. A pipe or a device is none: nothing of it is lost. */
export const refuseExisting = async (path: string): Promise<void> => {
  if ((await findPlaceToWrite(path)).isThere) throw usage(`${path} already exists and is not overwritten`);
};

const replaceFile = async (
  target: string,
  { path, bytes, isNew }: { path: string; bytes: AsyncIterable<Uint8Array>; isNew: boolean },
): Promise<number> => {
  const draft = `${target}.${crypto.randomUUID().slice(0, 8)}.part`;
  const handle = await open(draft, "wx", 0o600).catch((error) => unwritable(path, error));
  try {
    let sizeBytes = 0;
    try {
      sizeBytes = await fill(handle, path, bytes);
      await handle.sync().catch((error) => unwritable(path, error));
    } finally {
      await handle.close();
    }
    // Another process may have created one in the meantime.
    if (isNew) await refuseExisting(target);
    await rename(draft, target).catch((error) => unwritable(path, error));
    return sizeBytes;
  } finally {
    await rm(draft, { force: true });
  }
};

const fill = async (handle: FileHandle, path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    await handle.writeFile(chunk).catch((error) => unwritable(path, error));
    sizeBytes += chunk.byteLength;
  }
  return sizeBytes;
};

const unwritable = (path: string, error: unknown): never => {
  if (error instanceof CliFailure) throw error;
  const reason = String(Reflect.get(Object(error), "code") ?? "unknown reason");
  const words = fullCodes.has(reason) ? "the disk is full" : reason;
  throw new CliFailure("UNWRITABLE", `cannot write ${path} (${words})`, { cause: error });
};

const fullCodes = new Set(["ENOSPC", "EDQUOT"]);

/** Where what is written to a path goes: a file, or a name for one, or `null` for what is no file and gets the bytes as they come. */
type PlaceToWrite = { isThere: boolean; file: string | null; pour: () => Promise<FileHandle> };

// A link that leads to itself; the number is Linux's (path_resolution(7)).
const mostLinks = 40;

/**
 * Follows the links of a path to where it can be written. In a folder where others may write, what they put under the
 * name must not get what is meant for the caller: throws `UNWRITABLE` for a link that is neither the caller's nor of
 * whom its folder belongs to, for another user's pipe or device, for a link to nothing, and for a folder. The
 * caller's own descriptors (`/dev/stdout`, `/dev/fd/63`) may belong to anyone. `pour` checks again what it opened.
 */
export const findPlaceToWrite = async (path: string): Promise<PlaceToWrite> => {
  const refuse = (why: string): never => {
    throw new CliFailure("UNWRITABLE", `cannot write ${path}: ${why}`);
  };
  const checkStream = (stats: Stats): void => {
    if (!isTrusted(stats.uid))
      refuse("it is another user's pipe or device, who could read what is written to it");
  };

  let place = path;
  let found = await lstat(place).catch(absent);
  for (let links = 0; found?.isSymbolicLink(); links += 1) {
    if (links === mostLinks) refuse("its symbolic links form a loop");
    const folder = await realpath(dirname(place));
    if (folder === (await realpath("/proc/self/fd").catch(absent))) return ownDescriptor(place);
    if (!isTrusted(found.uid) && found.uid !== (await stat(folder)).uid)
      refuse(`${place} is a symbolic link created by another user`);
    const target = await readlink(place);
    place = target.startsWith("/") ? target : `${folder}/${target}`;
    found = await lstat(place).catch(absent);
    if (found === null) refuse("it is a symbolic link to a missing file");
  }
  if (found?.isDirectory()) refuse("it is a folder");
  const isFile = found === null || found.isFile();
  if (found !== null && !isFile) checkStream(found);
  return {
    isThere: found?.isFile() === true,
    file: isFile ? place : null,
    pour: async () => {
      const handle = await open(place, streamFlags | constants.O_NOFOLLOW);
      try {
        checkStream(await handle.stat());
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
};

/**
 * The caller may write to its own open descriptors, no matter who created the file: `sudo atrium … --out /dev/stdout | ssh …`. A file
 * is one that exists: opened again, it would be written at its beginning, and then over by what the command prints.
 */
const ownDescriptor = async (path: string): Promise<PlaceToWrite> => {
  const isThere = (await stat(path)).isFile();
  return { isThere, file: isThere ? await realpath(path) : null, pour: () => open(path, streamFlags) };
};

const streamFlags = constants.O_WRONLY | constants.O_NOCTTY;

/** Root can read everything anyway. A system without users has no other user. */
const isTrusted = (uid: number): boolean => {
  const self = process.geteuid?.();
  return self === undefined || uid === self || uid === 0;
};

// Whatever else keeps a place from being looked at keeps it from being written, which has the better words.
const absent = (): null => null;

/** Writes a file to standard output as it arrives, until its reader has gone. Control characters go only to files. */
export const printBytes = async (terminal: Terminal, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const decoder = new TextDecoder();
  const write = (text: string) => terminal.out(terminal.isOutputTerminal ? printable(text, "\r\n\t") : text);
  for await (const chunk of bytes) if (!write(decoder.decode(chunk, { stream: true }))) return;
  write(decoder.decode());
};
