import { createWriteStream, existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { stampOf } from "#api/core/ids.ts";
import { syncPath, syncTree } from "../embedded/free-space.ts";
import { readTar, unpackCluster } from "../embedded/unpack-cluster.ts";
import type { ClusterEntry } from "./read-cluster.ts";
import { listSnapshots } from "./snapshot-files.ts";

/** A snapshot that is not there or cannot be used. The message is for the operator. */
export class UnfitSnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnfitSnapshotError";
  }
}

/**
 * Puts a snapshot in the place of the embedded database. What was there is kept as `replaced`, a folder beside it, or a
 * file if it was one; `null` where there was nothing. The caller holds the data folder's lock. Throws
 * {@link UnfitSnapshotError}, and the reason of `ended` should that come first; then nothing is changed.
 */
export const restoreSnapshot = async ({
  dataDir,
  name,
  now,
  ended,
}: {
  dataDir: string;
  name: string;
  now: Date;
  ended?: AbortSignal;
}): Promise<{ restored: string; replaced: string | null }> => {
  const files = await listSnapshots(dataDir);
  const file = files.find((known) => known.name === name.replace(/\.tar\.zst$/, ""));
  if (file === undefined) {
    const known =
      files.length === 0 ? "There are none" : `There are: ${files.map((one) => one.name).join(", ")}`;
    throw new UnfitSnapshotError(`There is no snapshot ${name} in ${dataDir}. ${known}`);
  }
  const folder = join(dataDir, "database");
  // Not the name under which a new database is made: a start that fails half-way may remove that.
  const draft = join(dataDir, "database.restoring");
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    for (const step of [
      () => checkSnapshot(file.path),
      () => unpackCluster(file.path, draft),
      () => syncTree(draft),
    ]) {
      await step();
      ended?.throwIfAborted();
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    ended?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnfitSnapshotError(
      `The snapshot ${file.name} could not be unpacked (${reason}). Nothing was changed`,
    );
  }
  // After a crash between the two there is no database, and a start refuses to make a new one beside snapshots.
  const replaced = existsSync(folder) ? freePath(`${folder}.replaced-${stampOf(now)}`) : null;
  if (replaced !== null) await rename(folder, replaced);
  await rename(draft, folder);
  await syncPath(dataDir);
  return { restored: file.name, replaced };
};

const freePath = (path: string, attempt = 1): string => {
  const candidate = attempt === 1 ? path : `${path}-${attempt}`;
  return existsSync(candidate) ? freePath(path, attempt + 1) : candidate;
};

/** Writes a cluster as tar.zst with a checksum into the new file `path`, for its owner alone; not synced yet. */
export const packCluster = async (entries: AsyncIterable<ClusterEntry>, path: string): Promise<void> => {
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  await pipeline(tarOf(entries), compress, createWriteStream(path, { flags: "wx", mode: 0o600 }));
};

// A third of a second of CPU time for each 100 MB; higher ones save little of what databases consist of.
const level = 3;

async function* tarOf(entries: AsyncIterable<ClusterEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    if (entry.kind === "folder") {
      yield tarHeader(`${entry.name}/`, 0);
      continue;
    }
    yield tarHeader(entry.name, entry.sizeBytes);
    yield* entry.bytes();
    const rest = entry.sizeBytes % tarBlockBytes;
    if (rest > 0) yield new Uint8Array(tarBlockBytes - rest);
  }
  yield new Uint8Array(2 * tarBlockBytes);
}

/**
 * Writes a cluster into `folder`, which must not be there yet: as `database` in a data folder of its own, another process
 * can open it. It is not synced, because it is for the moment. A copy that fails leaves nothing.
 */
export const copyCluster = async (entries: AsyncIterable<ClusterEntry>, folder: string): Promise<void> => {
  await mkdir(folder, { mode: 0o700 });
  try {
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.kind === "folder") await mkdir(path, { mode: 0o700 });
      else await writeChunks(path, entry.bytes());
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};

const writeChunks = async (path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
};

/**
 * The 512-byte header of a file or folder in a tar (POSIX ustar). A folder's name ends with a slash.
 * Throws for a name that is longer than 100 bytes, which none in a cluster is.
 */
export const tarHeader = (name: string, sizeBytes: number): Uint8Array => {
  if (Buffer.byteLength(name) > 100) throw new Error(`the name ${name} is too long for the archive`);
  const isFolder = name.endsWith("/");
  const block = Buffer.alloc(tarBlockBytes);
  block.write(name, 0);
  block.write(isFolder ? "0000700" : "0000600", 100);
  block.write("0000000", 108);
  block.write("0000000", 116);
  block.write(sizeBytes.toString(8).padStart(11, "0"), 124);
  block.write("00000000000", 136);
  // The sum is taken with blanks in its own place.
  block.write(" ".repeat(8), 148);
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
};

/** Everything in a tar fills whole blocks. */
export const tarBlockBytes = 512;

/** Reads a snapshot from end to end. Throws when it is cut short or changed; what is in it is not looked at. */
export const checkSnapshot = async (path: string): Promise<void> => {
  let last = "";
  await readTar(path, async (name) => {
    last = name;
  });
  if (last !== lastEntry) throw new Error("it is cut short");
};

/** What is written at the very end of a snapshot. */
const lastEntry = "backup_label";
