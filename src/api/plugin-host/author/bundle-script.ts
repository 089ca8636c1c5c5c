import { join, relative, resolve } from "node:path";
import type { FieldError } from "#contract/errors.ts";
import { guardSources } from "./guard-sources.ts";
import { PluginBuildError } from "./plugin-build-error.ts";

/**
 * What to bundle: `source` is below `folder`. `isNative`: it runs inside the server, and may import what Bun has built in.
 * `version` is what the plugin is to say of itself, instead of `instead`.
 */
export type ScriptInput = {
  folder: string;
  source: string;
  external: readonly string[];
  isNative?: boolean;
  /** For browsers: without what only its author reads. */
  isSmall?: boolean;
  version?: { is: string; instead: string } | undefined;
};

/**
 * Bundles a script and what it imports into one ES module: the same sources make the same bytes, wherever they lie. Nothing of
 * them is run, and nothing outside of the plugin becomes part of it. Throws {@link PluginBuildError} with each complaint
 * and its place.
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

/** Passes the plugin on under another version; one that says something else than the manifest is left to be refused. */
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

/** The bundler names each part's file as it is seen from the current folder; the package is to name it from the plugin's. */
const withoutPlace = (text: string, root: string): string => {
  const place = relative(process.cwd(), root);
  if (place === "") return text;
  const start = `// ${place.replaceAll("\\", "/")}/`;
  return text
    .split("\n")
    .map((line) => (line.startsWith(start) ? `// ${line.slice(start.length)}` : line))
    .join("\n");
};
