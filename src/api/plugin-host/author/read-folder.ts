import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginLimits } from "#contract/plugins.ts";

const left = new Set(["node_modules", "dist", "test", "tests"]);

/**
 * The files of a plugin's folder by their paths, without hidden ones, tests, and what is installed beside them. Throws an
 * `Error` for a folder without `plugin.json` and for one with too many files.
 */
export const readFolder = async (folder: string): Promise<Map<string, Uint8Array>> => {
  const files = new Map<string, Uint8Array>();
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.name.startsWith(".") || (depth === 0 && left.has(entry.name))) continue;
      if (entry.isDirectory()) await walk(below, depth + 1);
      if (!entry.isFile()) continue;
      if (files.size >= pluginLimits.files)
        throw new Error(`${folder} has more than ${pluginLimits.files} files`);
      files.set(below, new Uint8Array(await readFile(join(folder, below))));
    }
  };
  await walk("", 0);
  if (!files.has("plugin.json")) throw new Error(`${folder} is no plugin: there is no plugin.json in it`);
  return files;
};
