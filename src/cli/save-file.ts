import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { CliFailure } from "./failure.ts";
import { findPlaceToWrite } from "./place-to-write.ts";

/**
 * Writes a file that only its owner may read, whole or not at all: what stood there before stays until the last byte is
 * on the disk. A link is followed to its file, and a pipe or a device gets the bytes as they come; what somebody else has
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
  if ((await findPlaceToWrite(path)).isThere)
    throw new CliFailure("USAGE", `${path} is there already, and is not written over`);
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
  const reason = String(Reflect.get(Object(error), "code") ?? "no reason given");
  const words = fullCodes.has(reason) ? "the disk is full" : reason;
  throw new CliFailure("UNWRITABLE", `cannot write ${path} (${words})`, { cause: error });
};

const fullCodes = new Set(["ENOSPC", "EDQUOT"]);
