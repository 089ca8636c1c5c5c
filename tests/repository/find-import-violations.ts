import { dirname, join } from "node:path";
import { type Area, areaOf, scopeOf } from "./areas.ts";
import { valueImportsOf } from "./transpile.ts";

export type SourceFile = { path: string; text: string };

/** Where `#name/` and `#name` lead, from package.json's `imports`: `{ "#api/": "src/api/" }`. */
export type Aliases = Record<string, string>;

/**
 * One sentence for each value import of `files` that the areas do not allow. `exists` tells whether a project path is
 * a file. Type imports do not count: the scan drops them, as the compiler does.
 */
export const findImportViolations = (
  files: readonly SourceFile[],
  aliases: Aliases,
  exists: (path: string) => boolean,
): string[] =>
  files.flatMap((file) => {
    const area = areaOf(file.path);
    if (area === null) return [`${file.path} lies in no area that tests/repository/areas.ts knows`];
    return authoredImports(file).flatMap((specifier) => {
      const complaint = complaintAbout({ file, area, specifier, aliases, exists });
      return complaint === null ? [] : [`${file.path} (${area.name}) imports ${specifier}: ${complaint}`];
    });
  });

/** React's own entry points are put in by the JSX transform, not by an author. */
const authoredImports = (file: SourceFile): string[] =>
  valueImportsOf(file).filter((name) => name !== "react/jsx-dev-runtime" && name !== "react/jsx-runtime");

type Import = {
  file: SourceFile;
  area: Area;
  specifier: string;
  aliases: Aliases;
  exists: (path: string) => boolean;
};

const complaintAbout = ({ file, area, specifier, aliases, exists }: Import): string | null => {
  const isRelative = specifier.startsWith(".");
  const target = isRelative ? join(dirname(file.path), specifier) : throughAlias(specifier, aliases);
  if (target === null) return packageComplaint(area, specifier);
  if (!/\.[jt]sx?$/.test(target) && /\.\w+$/.test(target)) return null;
  if (!exists(target)) return "names no file (the extension belongs to the name)";
  if (area.imports.includes("*")) return null;
  if (isRelative && !target.startsWith(homeOf(file.path))) return "leaves its own part by a relative path";
  const targetArea = areaOf(target);
  if (targetArea === null) return "leads out of src";
  return isAllowed(file.path, area, target, targetArea)
    ? null
    : `${area.name} may not import ${targetArea.name}`;
};

/** The path that `#name/…` or `#name` stands for, or `null`. */
export const throughAlias = (specifier: string, aliases: Aliases): string | null => {
  const alias = Object.keys(aliases).find((name) =>
    name.endsWith("/") ? specifier.startsWith(name) : specifier === name,
  );
  return alias === undefined ? null : `${aliases[alias]}${specifier.slice(alias.length)}`;
};

const packageComplaint = (area: Area, specifier: string): string | null => {
  const isRefused = area.refuses.some(
    (name) =>
      name === "" ||
      specifier === name ||
      specifier.startsWith(`${name}/`) ||
      specifier.startsWith(`${name}:`),
  );
  return isRefused ? `${area.name} may not import this package` : null;
};

const isAllowed = (path: string, area: Area, target: string, targetArea: Area): boolean => {
  const isSameScope = scopeOf(path) === scopeOf(target);
  if (area.imports.includes(targetArea.name)) return true;
  if (!isSameScope) return false;
  return area.imports.includes(`own ${targetArea.name}`) || area.name === targetArea.name;
};

/** The folder inside which a file imports by relative path. */
const homeOf = (path: string): string =>
  scopeOf(path) ?? /^src\/(?:api\/(?:[^/]+\/)?|[^/]+\/)/.exec(path)?.[0] ?? "src/";
