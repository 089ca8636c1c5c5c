import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { FieldError } from "#contract/errors.ts";

/**
 * `root` is the plugin's folder, `made` a path in it that is not one of its author's files, `as` the bundler's other
 * options.
 */
type GuardInput = { root: string; made: string | null; as: ReadAs };

/** A bundler plugin, and what it has refused so far. */
type SourceGuard = { plugin: Bun.BunPlugin; refused: FieldError[] };

/**
 * Keeps the bundler from running what it bundles, and from including files from outside the plugin: the folder may be a
 * stranger's, and building it is consent to neither.
 */
export const guardSources = async ({ root, made, as }: GuardInput): Promise<SourceGuard> => {
  const refused: FieldError[] = [];
  const isAllowed = await allowedPlaces(root);
  const refuse = (path: string, message: string): never => {
    if (!refused.some((known) => known.path === path && known.message === message))
      refused.push({ path, message });
    throw new Error(message);
  };
  const plugin: Bun.BunPlugin = {
    name: "guard-sources",
    setup: (build) => {
      // The bundler handles these itself, without calling plugins.
      build.onResolve({ filter: /^data:/i }, ({ path, kind, importer }) => {
        if (!isPicture(path, kind)) refuse(relative(root, importer), texts.data);
        return undefined;
      });
      build.onLoad({ filter: /.*/ }, async ({ path }) => {
        if (path === made) return undefined;
        const real = await realpath(path);
        if (!(await isAllowed(real))) refuse(relative(root, path), texts.outside);
        const macro = macroIn(await readFile(real), as);
        if (macro) refuse(`${relative(root, path)}${macro.place}`, texts.macro);
        return undefined;
      });
    },
  };
  return { plugin, refused };
};

const texts = {
  macro: 'Macros are not run: import without `with { type: "macro" }`',
  data: "data: URLs can't be imported: put their content into a file",
  outside: "It is outside the plugin's folder and the packages installed for it",
};

/** What a stylesheet refers to; imported, it could be read as any kind of script. */
const isPicture = (address: string, kind: string): boolean =>
  ["internal", "url-token"].includes(kind) && /^data:(?:image|font)\//i.test(address);

/** Whether a file, by its real path, may become part of a plugin. */
type AllowedPlaces = (realPath: string) => Promise<boolean>;

/**
 * What a plugin may be made of: its own folder, packages installed in it or above it, and packages of its monorepo.
 * Links count as their targets; otherwise a folder could include any file of the user who builds it.
 */
const allowedPlaces = async (folder: string): Promise<AllowedPlaces> => {
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

/** A folder and all its parents, from the innermost. */
const withAncestors = (folder: string): string[] => {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withAncestors(parent)];
};

/** Where packages are installed next to a folder. A link of that name to anything else would lead outside. */
const installedIn = async (folder: string): Promise<string | null> => {
  const place = await realpath(join(folder, "node_modules")).catch(() => null);
  return place !== null && basename(place) === "node_modules" ? place : null;
};

/** The innermost folder that declares itself a monorepo. */
const monorepoOf = async (folders: readonly string[]): Promise<string | null> => {
  for (const folder of folders) {
    if (await Bun.file(join(folder, "pnpm-workspace.yaml")).exists()) return folder;
    if ((await manifestIn(folder))?.workspaces !== undefined) return folder;
  }
  return null;
};

/** Whether the package that contains a file is installed for the plugin by a link of its own name. */
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

const scriptLoaders = ["tsx", "ts", "jsx", "js"] as const;

/** The bundler's definitions; they decide which branches it follows. */
type ReadAs = Pick<Bun.TranspilerOptions, "target" | "define">;

/**
 * What in a file would run while it is bundled, with its location as `:line:column` if known, or `null`. Bun runs
 * functions that are imported `with { type: "macro" }` outside of every sandbox, which can't be disabled; its
 * transpiler can find them, and reads the same language. The importer decides as which language a file is read: all are
 * tried.
 */
const macroIn = (bytes: Uint8Array, as: ReadAs): { place: string } | null => {
  const text = textOf(bytes);
  // Decides nearly every file, however the word is written.
  const [, ...imports] = unescaped(text).split(/\bimport\b/);
  if (!/["']macro["':]/.test(imports.join("import"))) return null;
  const read = scriptLoaders.map((loader) => complaintsOf(text, { loader, ...as }));
  const macro = read.flat().find(({ message }) => /macro/i.test(message));
  if (macro) return { place: macro.place };
  // What can't be parsed can't be checked either.
  return read.every((complaints) => complaints.length > 0) ? { place: "" } : null;
};

type Complaint = { message: string; place: string };

const complaintsOf = (text: string, options: Bun.TranspilerOptions): Complaint[] => {
  try {
    // The types only know maps of macros, not the option that disables them.
    new Bun.Transpiler(
      Object.assign({ deadCodeElimination: false }, options, { macro: false }),
    ).transformSync(text);
    return [];
  } catch (error) {
    const errors: unknown = Reflect.get(Object(error), "errors");
    return (Array.isArray(errors) && errors.length > 0 ? errors : [error]).map(complaintOf);
  }
};

const complaintOf = (error: unknown): Complaint => {
  const position = Object(Reflect.get(Object(error), "position") ?? {});
  const [line, column] = [Reflect.get(position, "line"), Reflect.get(position, "column")];
  const place = typeof line === "number" && line > 0 ? `:${line}:${column}` : "";
  return { message: String(Reflect.get(Object(error), "message")), place };
};

/** The bundler also reads UTF-16 if a file declares it. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);

/** The text with the escapes of JavaScript's strings undone, wherever they stand. Source: ECMA-262 §12.9.4. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi,
    (_, braced, four, two, octal, other) => {
      if (other !== undefined) return /[\r\n\u2028\u2029]/.test(other) ? "" : other;
      const code =
        octal === undefined ? Number.parseInt(braced ?? four ?? two, 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
