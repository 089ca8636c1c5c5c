import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterEntry } from "./read-cluster.ts";

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
