import { createWriteStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { readTar } from "../embedded/unpack-cluster.ts";
import type { ClusterEntry } from "./read-cluster.ts";

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
