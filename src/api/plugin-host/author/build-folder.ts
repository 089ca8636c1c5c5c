import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { compile } from "tailwindcss";
import * as preflight from "tailwindcss/preflight.css" with { type: "text" };
import * as theme from "tailwindcss/theme.css" with { type: "text" };
import * as utilities from "tailwindcss/utilities.css" with { type: "text" };
import type { FieldError } from "#contract/errors.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { pluginLimits } from "#contract/plugins.ts";
import * as hostComponents from "#plugins/sdk/components.css" with { type: "text" };
import * as hostTheme from "#plugins/sdk/theme.css" with { type: "text" };
import { manifestOf } from "../package/read-package.ts";

/** `version`: overrides the manifest's version. */
export type BuildOptions = { version?: (declared: string) => string };

/**
 * The files of a plugin's package: those of its folder, with scripts bundled and stylesheets compiled if there are
 * sources for them. Nothing is written. Throws `PluginBuildError`, and `PackageError` for an invalid manifest.
 */
export const buildFolder = async (
  folder: string,
  { version }: BuildOptions = {},
): Promise<Map<string, Uint8Array>> => {
  const files = await readFolder(folder);
  const manifest = manifestOf(files);
  const renamed =
    version === undefined ? undefined : { is: version(manifest.version), instead: manifest.version };
  const bundle = async (
    entry: string,
    external: readonly string[],
    how: Pick<ScriptInput, "isNative" | "isSmall">,
  ): Promise<void> => {
    const source = await sourceOf(folder, entry);
    if (source === null && (renamed === undefined || !files.has(entry))) return;
    files.set(
      entry,
      await bundleScript({ folder, source: source ?? entry, external, ...how, version: renamed }),
    );
  };
  const { backend, frontend } = manifest;
  // While a plugin is being developed, its lines are kept.
  const forBrowsers = { isSmall: renamed === undefined };
  if (backend) await bundle(backend.entry, [], { isNative: backend.runtime === "native" });
  if (frontend) {
    await bundle(frontend.entry, frontend.mode === "native" ? sharedModules : [], forBrowsers);
    if (frontend.site !== null) await bundle(frontend.site, [], forBrowsers);
    await addCss(files, frontend);
  }
  if (renamed) files.set("plugin.json", withVersion(files.get("plugin.json"), renamed.is));
  return files;
};

/** What frontends in the host's window import from it. */
const sharedModules = [
  "react",
  "react/jsx-runtime",
  "react-dom",
  "@atrium/plugin-sdk",
  "@atrium/plugin-sdk/ui",
];

/** The source of a bundle, next to the bundle's path in the package. `null` if there is none. */
const sourceOf = async (folder: string, entry: string): Promise<string | null> => {
  const stem = entry.replace(/\.m?js$/, "");
  for (const source of [".ts", ".tsx", ".mts", ".jsx"].map((ending) => stem + ending)) {
    const facts = await stat(join(folder, source)).catch(() => null);
    if (facts?.isFile()) return source;
  }
  return null;
};

const addCss = async (
  files: Map<string, Uint8Array>,
  { entry, css, mode }: NonNullable<Manifest["frontend"]>,
): Promise<void> => {
  const written = css === null ? undefined : files.get(css);
  if (css === null || written === undefined) return;
  const scripts = [new TextDecoder().decode(files.get(entry))];
  const compiled = await compileCss({ path: css, css: new TextDecoder().decode(written), scripts, mode });
  files.set(css, new TextEncoder().encode(compiled));
};

const withVersion = (manifest: Uint8Array | undefined, version: string): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify({ ...JSON.parse(new TextDecoder().decode(manifest)), version }, null, 2)}\n`,
  );

/**
 * What to bundle: `source` is below `folder`. `isNative`: it runs inside the server, and may import Bun's built-in
 * modules. `version` is what the plugin reports instead of `instead`.
 */
type ScriptInput = {
  folder: string;
  source: string;
  external: readonly string[];
  isNative?: boolean;
  /** For browsers: without what only its author reads. */
  isSmall?: boolean;
  version?: { is: string; instead: string } | undefined;
};

/**
 * Bundles a script and its imports into one ES module: the same sources make the same bytes, in any folder. Nothing of
 * them is run, and nothing outside the plugin becomes part of it. Throws {@link PluginBuildError} with each complaint
 * and its location.
 */
export const bundleScript = async ({
  folder,
  source,
  external,
  isNative = false,
  isSmall = false,
  version,
}: ScriptInput): Promise<Uint8Array> => {
  const root = resolve(folder);
  const entry = join(root, version ? entryName : source);
  const target = isNative ? "bun" : "browser";
  const define = { "process.env.NODE_ENV": '"production"' };
  const guard = await guardSources({ root, made: version ? entry : null, as: { target, define } });
  const built = await Bun.build({
    entrypoints: [entry],
    ...(version ? { files: { [entry]: wrapper(source, version) } } : {}),
    root,
    target,
    plugins: [guard.plugin],
    format: "esm",
    external: [...external],
    minify: isSmall,
    define,
    jsx: { runtime: "automatic", development: false },
    throw: false,
  });
  if (guard.refused.length > 0)
    throw new PluginBuildError(`${source} could not be built`, { problems: guard.refused });
  const output = built.outputs.find(({ kind }) => kind === "entry-point");
  if (!built.success || output === undefined)
    throw new PluginBuildError(`${source} could not be built`, {
      problems: built.logs.filter(({ level }) => level === "error").map((log) => problemOf(log, root)),
    });
  return new TextEncoder().encode(withoutPlace(await output.text(), root));
};

const entryName = ".atrium-entry.js";

/**
 * Reports another version for the plugin; if the plugin's own version differs from the manifest's, it is kept so that
 * it is refused.
 */
const wrapper = (source: string, { is, instead }: { is: string; instead: string }): string => `
import * as module from ${JSON.stringify(`./${source}`)};
const plugin = module.default;
const isOwn = typeof plugin === "object" && plugin !== null && plugin.version === ${JSON.stringify(instead)};
export default isOwn ? Object.create(plugin, { version: { value: ${JSON.stringify(is)}, enumerable: true } }) : plugin;
`;

type BuildLog = Awaited<ReturnType<typeof Bun.build>>["logs"][number];

const problemOf = ({ message, position }: BuildLog, root: string): FieldError => {
  if (position === null) return { path: "", message };
  const { file, line, column } = position;
  return { path: `${relative(root, file) || file}:${line}:${column}`, message };
};

/** The bundler names files relative to the current folder; the package names them relative to the plugin's folder. */
const withoutPlace = (text: string, root: string): string => {
  const place = relative(process.cwd(), root);
  if (place === "") return text;
  const start = `// ${place.replaceAll("\\", "/")}/`;
  return text
    .split("\n")
    .map((line) => (line.startsWith(start) ? `// ${line.slice(start.length)}` : line))
    .join("\n");
};

/** A stylesheet, and the texts in which class names are looked up. */
type StyleInput = { path: string; css: string; scripts: readonly string[]; mode: "iframe" | "native" };

const tailwind = /@import\s+["']tailwindcss["'][^;]*;/;

/**
 * Compiles a stylesheet that imports `tailwindcss`; any other stays as it is. The host's theme is only referenced: its
 * values come from the page. In a frame, the stylesheet also contains Tailwind's base. Throws {@link PluginBuildError}.
 */
const compileCss = async ({ path, css, scripts, mode }: StyleInput): Promise<string> => {
  if (!tailwind.test(css)) return css;
  const ofMode = mode === "iframe" ? '@import "preflight" layer(base);' : '@import "components";';
  const source = css.replace(
    tailwind,
    `@layer theme, base, components, utilities;
@import "theme" layer(theme) theme(reference);
@import "host" theme(reference);
${ofMode}
@import "utilities" layer(utilities) source(none);`,
  );
  try {
    const compiler = await compile(source, {
      base: "/",
      loadStylesheet: async (id) => ({ path: id, base: "/", content: sheetOf(id) }),
    });
    return compiler.build([...new Set(scripts.flatMap((script) => script.match(/[^\s"'`<>{};]+/g) ?? []))]);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new PluginBuildError(`${path} could not be built`, { problems: [{ path, message }], cause });
  }
};

const sheetOf = (id: string): string => {
  if (id === "theme") return textOf(theme);
  if (id === "host") return textOf(hostTheme);
  if (id === "components") return textOf(hostComponents);
  if (id === "preflight") return textOf(preflight);
  if (id === "utilities") return textOf(utilities);
  throw new Error(`${id} cannot be imported: a plugin's stylesheet imports nothing but tailwindcss`);
};

/** The text of a file that was imported as text, whose type the compiler doesn't know. */
const textOf = (module: object): string => String(Reflect.get(module, "default"));

const leftFolders = new Set(["node_modules", "dist", "test", "tests"]);
// Sources, files of editors and tools, earlier packages, and private keys.
const leftFiles =
  /(?:\.(?:[cm]?ts|[jt]sx|zip|pem|key)|~|^(?:package|package-lock|tsconfig|biome|deno)\.jsonc?|^bun\.lockb?|^bunfig\.toml|^yarn\.lock|^pnpm-lock\.yaml)$/i;

/** Whether something in a plugin's folder is left out of its package; `path` is below the folder. */
export const isLeftOut = (path: string): boolean => {
  const parts = path.split("/");
  const isTool = parts.length === 1 && leftFolders.has(parts[0] ?? "");
  return isTool || parts.some((part) => part.startsWith(".")) || leftFiles.test(parts.at(-1) ?? "");
};

/**
 * The files of a plugin's folder by path, without hidden files, sources, tests, keys, and installed packages. Throws
 * {@link PluginBuildError} for a folder without `plugin.json` and for one with too many files.
 */
const readFolder = async (folder: string): Promise<Map<string, Uint8Array>> => {
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

/** A plugin's folder that can't be packed; `problems` say where, such as `backend/index.ts:3:5`. */
export class PluginBuildError extends Error {
  readonly problems: FieldError[];

  constructor(message: string, { problems = [], cause }: { problems?: FieldError[]; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "PluginBuildError";
    this.problems = problems;
  }
}

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
const guardSources = async ({ root, made, as }: GuardInput): Promise<SourceGuard> => {
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
  const text = sourceText(bytes);
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
const sourceText = (bytes: Uint8Array): string =>
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
