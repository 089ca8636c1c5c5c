import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { manifestOf } from "../package/read-package.ts";
import { bundleScript, type ScriptInput } from "./bundle-script.ts";
import { compileCss } from "./compile-css.ts";
import { readFolder } from "./read-folder.ts";

/** `version`: what the package is to be called instead of what the manifest says. */
export type BuildOptions = { version?: (declared: string) => string };

/**
 * The files of a plugin's package: those of its folder, with scripts bundled and stylesheets compiled where there are
 * sources for them. Nothing is written. Throws `PluginBuildError`, and `PackageError` for a manifest that cannot be used.
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
  // While a plugin is being written its lines stay as they were.
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

/** What frontends in the host's window get from it. */
const sharedModules = [
  "react",
  "react/jsx-runtime",
  "react-dom",
  "@atrium/plugin-sdk",
  "@atrium/plugin-sdk/ui",
];

/** The source of a bundle: beside the place where the package has the bundle. `null` where there is none. */
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
