import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ObjectStore } from "#api/core/objects.ts";
import { imageFolder } from "#contract/site-images.ts";

const prefix = imageFolder.slice(1);

/**
 * Object storage that keeps a copy of the site's images in `folder` once they were read, for a time at which the storage can't be
 * reached: without its logo, the header of a page would be empty. `get` throws where there is no copy either.
 */
export const withKeptImages = (objects: ObjectStore, folder: string): ObjectStore => ({
  ...objects,
  get: async (key) => {
    if (!key.startsWith(prefix)) return objects.get(key);
    const path = join(folder, key);
    try {
      const bytes = await objects.get(key);
      if (bytes !== null) keep(path, bytes);
      return bytes;
    } catch (error) {
      const kept = read(path);
      if (kept === null) throw error;
      return kept;
    }
  },
  delete: async (key) => {
    await objects.delete(key);
    if (key.startsWith(prefix)) rmSync(join(folder, key), { force: true });
  },
});

const read = (path: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    // It was never read here.
    return null;
  }
};

const keep = (path: string, bytes: Uint8Array): void => {
  // What is at an address never changes.
  if (read(path) !== null) return;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // It is only a copy: a full disk is reported where it is watched.
  }
};
