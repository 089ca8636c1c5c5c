import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/** Whether a file, by the place where it really lies, may become part of a plugin. */
export type AllowedPlaces = (realPath: string) => Promise<boolean>;

/**
 * What a plugin may be made of: its own folder, packages installed in it or above it, and packages of the monorepo that it
 * belongs to. Links count as what they lead to, or a folder could fetch any file of whoever builds it.
 */
export const allowedPlaces = async (folder: string): Promise<AllowedPlaces> => {
  const root = await realpath(folder);
  const above = withAncestors(root);
  const installed = await Promise.all(above.map(installedIn));
  const monorepo = await monorepoOf(above);
  return async (path) =>
    [root, ...installed].some((place) => place !== null && isBelow(path, place)) ||
    (monorepo !== null && isBelow(path, monorepo) && (await isLinkedPackage(path, monorepo, above)));
};

const isBelow = (path: string, place: string): boolean =>
  path.startsWith(place.endsWith(sep) ? place : `${place}${sep}`);

/** A folder and all above it, from the innermost. */
const withAncestors = (folder: string): string[] => {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withAncestors(parent)];
};

/** Where packages are installed beside a folder. A link of that name to anything else is a way out. */
const installedIn = async (folder: string): Promise<string | null> => {
  const place = await realpath(join(folder, "node_modules")).catch(() => null);
  return place !== null && basename(place) === "node_modules" ? place : null;
};

/** The innermost folder that says of itself that it holds several packages. */
const monorepoOf = async (folders: readonly string[]): Promise<string | null> => {
  for (const folder of folders) {
    if (await Bun.file(join(folder, "pnpm-workspace.yaml")).exists()) return folder;
    if ((await manifestIn(folder))?.workspaces !== undefined) return folder;
  }
  return null;
};

/** Whether the package in which a file lies is installed for the plugin by a link of its own name. */
const isLinkedPackage = async (
  path: string,
  monorepo: string,
  above: readonly string[],
): Promise<boolean> => {
  for (const folder of withAncestors(dirname(path))) {
    if (folder === monorepo) return false;
    const name = (await manifestIn(folder))?.name;
    if (typeof name !== "string") continue;
    const links = above.filter((place) => place === monorepo || isBelow(place, monorepo));
    const targets = links.map((place) => realpath(join(place, "node_modules", name)).catch(() => null));
    return (await Promise.all(targets)).includes(folder);
  }
  return false;
};

const manifestIn = async (folder: string): Promise<{ name?: unknown; workspaces?: unknown } | null> => {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "null");
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
};
