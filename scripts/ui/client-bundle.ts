import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Manifest } from "vite";
import { projectRoot } from "../project-root.ts";

/** The browser's part, built: addresses of its files, and the script that stands in every page. */
export type ClientBundle = {
  app: string;
  stylesheet: string;
  font: string;
  css: string;
  boot: string;
  /** Addresses of the scripts that the application needs for a page, given by its module below src/ui. */
  chunksOf(source: string): string[];
};

/** Bundles the application with Vite into `outDir` and the boot script apart. */
export const bundleClient = async (outDir: string): Promise<ClientBundle> => {
  const [boot] = await Promise.all([
    bundleBoot(),
    build({
      configFile: join(projectRoot, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir, emptyOutDir: true, reportCompressedSize: false },
    }),
  ]);
  const manifest = readManifest(outDir);
  const main = chunk(manifest, "main.tsx");
  const stylesheet = only(main.css ?? [], "stylesheet");
  const font = only(
    (main.assets ?? []).filter((file) => file.endsWith(".woff2")),
    "font",
  );
  return {
    app: `/${main.file}`,
    stylesheet: `/${stylesheet}`,
    font: `/${font}`,
    css: readFileSync(join(outDir, stylesheet), "utf8"),
    boot,
    chunksOf: (source) =>
      [...new Set([...filesOf(manifest, "main.tsx"), ...filesOf(manifest, source)])].map(
        (file) => `/${file}`,
      ),
  };
};

const bundleBoot = async (): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(projectRoot, "src/ui/boot.ts")],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error("the boot script was not built");
  return (await output.text()).trim();
};

// Vite writes this file itself, in the shape of its exported type.
const readManifest = (outDir: string) =>
  JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;

const chunk = (manifest: Manifest, name: string) => {
  const found = manifest[name];
  if (found === undefined) throw new Error(`the bundle has no chunk for ${name}`);
  return found;
};

const filesOf = (manifest: Manifest, name: string, seen = new Set<string>()): string[] => {
  if (seen.has(name)) return [];
  seen.add(name);
  const { file, imports = [] } = chunk(manifest, name);
  return [file, ...imports.flatMap((next) => filesOf(manifest, next, seen))];
};

const only = (files: string[], what: string): string => {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error(`expected one ${what}, found ${files.length}`);
  return file;
};
