import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import type { ClusterEntry } from "./read-cluster.ts";
import { tarBlockBytes, tarHeader } from "./tar-header.ts";

/** Writes a cluster as tar.zst with a checksum into the new file `path`, for its owner alone; not synced yet. */
export const packCluster = async (entries: AsyncIterable<ClusterEntry>, path: string): Promise<void> => {
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  await pipeline(tarOf(entries), compress, createWriteStream(path, { flags: "wx", mode: 0o600 }));
};

// A third of a second of processor time for each 100 MB; higher ones save little of what databases consist of.
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
