import { pluginLimits } from "#contract/plugins.ts";
import { PackageError } from "./package-error.ts";

/** Files up to this size can be packed as tightly as they like: they are no bombs. */
export const looseBytes = 1_000_000;

const segment = /^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*$/;
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a path in a package is plain: no way up or out on any system, nothing hidden, nothing a terminal acts on. */
export const isPlainPath = (path: string): boolean => {
  const segments = path.split("/");
  return (
    path.length <= pluginLimits.pathLength &&
    segments.length <= pluginLimits.depth &&
    segments.every(
      (part) => segment.test(part) && part !== "__proto__" && !device.test(part) && !part.endsWith("."),
    )
  );
};

/** Whether a path is what macOS adds to zip files by itself. It is never written anywhere. */
export const isLitter = (path: string): boolean => {
  const segments = path.split("/");
  const isHarmless = segments.every(
    (part) => part !== "" && part !== "." && part !== ".." && plain.test(part),
  );
  return isHarmless && (segments[0] === "__MACOSX" || segments.at(-1) === ".DS_Store");
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const plain = /^[^\\:\x00-\x1f\x7f]{1,255}$/;

/**
 * Refuses paths that would meet on some disk: equal ones, ones that differ in upper and lower case, and files that are
 * folders as well.
 */
export const refuseClashes = (entries: readonly { path: string; isFolder: boolean }[]): void => {
  const named = new Map<string, boolean>();
  for (const { path, isFolder } of entries) {
    const key = path.toLowerCase();
    if (named.has(key)) throw new PackageError("duplicate", { about: path });
    named.set(key, isFolder);
  }
  const spelled = new Map<string, string>();
  for (const { path, isFolder } of entries) {
    for (const folder of foldersOf(isFolder ? `${path}/` : path)) {
      const key = folder.toLowerCase();
      if (named.get(key) === false) throw new PackageError("conflict", { about: folder });
      if ((spelled.get(key) ?? folder) !== folder) throw new PackageError("duplicate", { about: folder });
      spelled.set(key, folder);
    }
  }
};

/** All folders that a path lies in: `a` and `a/b` for `a/b/c`. */
const foldersOf = (path: string): string[] => {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
};

/** Files without the one folder that all of them lie in; as they are where there is none. */
export const withoutTopFolder = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> => {
  const [first = ""] = files.keys();
  const top = first.slice(0, first.indexOf("/") + 1);
  if (top === "" || ![...files.keys()].every((path) => path.startsWith(top))) return new Map(files);
  return new Map([...files].map(([path, bytes]) => [path.slice(top.length), bytes]));
};
