import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { CliFailure } from "./failure.ts";

/**
 * Writes a file that only its owner may read, whole or not at all: what stood there before stays until the last byte is
 * on the disk. A link is followed to its file, and a pipe or a device gets the bytes as they come. Resolves to the size;
 * throws when it cannot be written, what `bytes` throws, and where it `isNew` what {@link refuseExisting} does.
 */
export const saveFile = async (
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<number> => {
  if (isNew) await refuseExisting(path);
  const found = await stat(path).catch(absent);
  if (found?.isDirectory()) throw new CliFailure("UNWRITABLE", `cannot write ${path}: it is a folder`);
  if (found !== null && !found.isFile()) return pourInto(path, bytes);
  return replaceFile(await targetOf(path, found !== null), { path, bytes, isNew });
};

/** Throws `USAGE` when a file stands there. A pipe or a device is none: nothing of it is lost. */
export const refuseExisting = async (path: string): Promise<void> => {
  if ((await stat(path).catch(absent))?.isFile())
    throw new CliFailure("USAGE", `${path} is there already, and is not written over`);
};

/** Where the file itself lies. */
const targetOf = async (path: string, isThere: boolean): Promise<string> => {
  if (isThere) return realpath(path);
  if ((await lstat(path).catch(absent)) === null) return path;
  throw new CliFailure("UNWRITABLE", `cannot write ${path}: it is a link to a file that is not there`);
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
    // Somebody else may have made one while the bytes came.
    if (isNew) await refuseExisting(target);
    await rename(draft, target).catch((error) => unwritable(path, error));
    return sizeBytes;
  } finally {
    await rm(draft, { force: true });
  }
};

/** What is no file is neither made nor replaced, and has nothing to be synced. */
const pourInto = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> => {
  const handle = await open(path, constants.O_WRONLY | constants.O_NOCTTY).catch((error) =>
    unwritable(path, error),
  );
  try {
    return await fill(handle, path, bytes);
  } finally {
    await handle.close();
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

// Whatever else keeps a place from being looked at keeps it from being written, which has the better words.
const absent = (): null => null;

const unwritable = (path: string, error: unknown): never => {
  const reason = String(Reflect.get(Object(error), "code") ?? "no reason given");
  const words = fullCodes.has(reason) ? "the disk is full" : reason;
  throw new CliFailure("UNWRITABLE", `cannot write ${path} (${words})`, { cause: error });
};

const fullCodes = new Set(["ENOSPC", "EDQUOT"]);
