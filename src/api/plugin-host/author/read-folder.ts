import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pluginLimits } from "#contract/plugins.ts";
import { PluginBuildError } from "./plugin-build-error.ts";

const leftFolders = new Set(["node_modules", "dist", "test", "tests"]);
// Sources, editors' and tools' own files, packages made before, and private keys.
const leftFiles =
  /(?:\.(?:[cm]?ts|[jt]sx|zip|pem|key)|~|^(?:package|package-lock|tsconfig|biome|deno)\.jsonc?|^bun\.lockb?|^bunfig\.toml|^yarn\.lock|^pnpm-lock\.yaml)$/i;

/** Whether something in a plugin's folder stays out of its package; `path` is below the folder. */
export const isLeftOut = (path: string): boolean => {
  const parts = path.split("/");
  const isTool = parts.length === 1 && leftFolders.has(parts[0] ?? "");
  return isTool || parts.some((part) => part.startsWith(".")) || leftFiles.test(parts.at(-1) ?? "");
};

/**
 * The files of a plugin's folder by their paths, without hidden ones, sources, tests, keys, and what is installed beside
 * them. Throws {@link PluginBuildError} for a folder without `plugin.json` and for one with too many files.
 */
export const readFolder = async (folder: string): Promise<Map<string, Uint8Array>> => {
  const files = new Map<string, Uint8Array>();
  const walk = async (path: string): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((cause) => {
      throw new PluginBuildError(`${join(folder, path)} is no folder that can be read`, { cause });
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (isLeftOut(below)) continue;
      if (entry.isDirectory()) await walk(below);
      if (!entry.isFile()) continue;
      if (files.size >= pluginLimits.files)
        throw new PluginBuildError(`${folder} has more than ${pluginLimits.files} files`);
      files.set(below, new Uint8Array(await readFile(join(folder, below))));
    }
  };
  await walk("");
  if (!files.has("plugin.json"))
    throw new PluginBuildError(`${folder} is no plugin: there is no plugin.json in it`);
  return files;
};
