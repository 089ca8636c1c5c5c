import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Puts everything below `folder` on the disk. Many at a time, so that the file system can write them together. */
export const syncTree = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  const syncSome = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: syncsAtOnce }, syncSome));
};

const syncsAtOnce = 32;

/** Puts a file, or the names in a folder, on the disk. */
export const syncPath = async (path: string): Promise<void> => {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
