import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "#api/core/ids.ts";

/**
 * Contents of objects that lie elsewhere, by their SHA-256, in a folder that may be emptied at any time. What cannot be
 * written or read is not there; nothing throws.
 */
export type ObjectCache = {
  /** The content with exactly this digest, or `null`. */
  get(digest: string): Promise<Uint8Array | null>;
  put(digest: string, bytes: Uint8Array): Promise<void>;
};

export type ObjectCacheOptions = {
  folder: string;
  /** How much is kept, 256 MB unless given: what was not asked for longest goes first. */
  mostBytes?: number;
};

/** Makes a cache; the folder is made when there is something to put into it, for its owner alone. */
export const createObjectCache = ({
  folder,
  mostBytes = 256 * 1024 * 1024,
}: ObjectCacheOptions): ObjectCache => {
  let turn: Promise<void> = Promise.resolve();

  const write = async (digest: string, bytes: Uint8Array): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, digest);
    // Whoever reads meanwhile sees the whole content or none.
    const part = `${path}.part`;
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, path);
    await shrink(folder, mostBytes);
  };

  return {
    get: async (digest) => {
      const path = join(folder, digest);
      const bytes = await readFile(path).catch(() => null);
      if (bytes === null) return null;
      if (digestOf(bytes) !== digest) {
        await rm(path, { force: true }).catch(() => {});
        return null;
      }
      const now = new Date();
      await utimes(path, now, now).catch(() => {});
      return new Uint8Array(bytes);
    },
    put: (digest, bytes) => {
      if (bytes.byteLength > mostBytes / 2) return Promise.resolve();
      // A cache that cannot be written, for example on a full disk, only makes reads slower.
      turn = turn.then(() => write(digest, bytes)).catch(() => {});
      return turn;
    },
  };
};

const shrink = async (folder: string, mostBytes: number): Promise<void> => {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { name, sizeBytes: size, usedAtMs: mtimeMs };
    }),
  );
  let sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  for (const file of files.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (sizeBytes <= mostBytes) return;
    await rm(join(folder, file.name), { force: true });
    sizeBytes -= file.sizeBytes;
  }
};
