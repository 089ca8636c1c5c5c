import { readFile, realpath } from "node:fs/promises";
import { relative } from "node:path";
import type { FieldError } from "#contract/errors.ts";
import { allowedPlaces } from "./allowed-places.ts";
import { macroIn, type ReadAs } from "./macro-in.ts";

/** `root` is the plugin's folder, `made` a path in it that is no file of its author's, `as` what the bundler is told too. */
export type GuardInput = { root: string; made: string | null; as: ReadAs };

/** A part of the bundler, and what it has refused so far. */
export type SourceGuard = { plugin: Bun.BunPlugin; refused: FieldError[] };

/**
 * Keeps the bundler from running what it bundles, and from taking in files from outside of the plugin: a folder may be
 * anybody's, and whoever builds it has agreed to neither.
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
      // The bundler reads these itself and asks nobody about what stands in them.
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
  data: "Addresses that begin with data: cannot be imported: put what they hold into a file",
  outside: "It lies outside of the plugin's folder and of the packages that are installed for it",
};

/** What a stylesheet shows; imported, it could be read as a script of any kind. */
const isPicture = (address: string, kind: string): boolean =>
  ["internal", "url-token"].includes(kind) && /^data:(?:image|font)\//i.test(address);
