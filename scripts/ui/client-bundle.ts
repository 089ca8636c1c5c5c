import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as react from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as reactDom from "react-dom";
import { build, type Rolldown } from "vite";
import * as sdk from "#ui/plugin-host/plugin-sdk.ts";
import * as ui from "#ui/plugin-host/plugin-ui.ts";
import { projectRoot } from "../project-root.ts";

/** The browser's part, built: addresses of its files, and the script inlined in every page. */
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
  const [boot, built] = await Promise.all([
    bundleScript("boot.ts", "iife"),
    build({
      configFile: join(projectRoot, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir, emptyOutDir: true, reportCompressedSize: false },
    }),
  ]);
  const files = outputOf(built);
  const chunks = files.filter((file) => file.type === "chunk");
  const main = chunkOf(chunks, "main.tsx");
  const stylesheet = only(endingWith(files, ".css"), "stylesheet");
  const font = only(endingWith(files, ".woff2"), "font");
  return {
    app: `/${main.fileName}`,
    stylesheet: `/${stylesheet}`,
    font: `/${font}`,
    css: readFileSync(join(outDir, stylesheet), "utf8"),
    boot,
    chunksOf: (source) => {
      const wanted = new Set<string>();
      for (const chunk of [main, chunkOf(chunks, source)]) addFiles(chunks, chunk.fileName, wanted);
      return [...wanted].map((file) => `/${file}`);
    },
  };
};

type Built = Awaited<ReturnType<typeof build>>;
type Chunks = readonly Rolldown.OutputChunk[];

const outputOf = (built: Built): Rolldown.RolldownOutput["output"] => {
  if (Array.isArray(built) || !("output" in built)) throw new Error("expected one bundle");
  return built.output;
};

const endingWith = (files: readonly { fileName: string }[], end: string) =>
  files.map(({ fileName }) => fileName).filter((name) => name.endsWith(end));

/** The chunk that holds a module. Pages may share one, so the manifest, which names entries alone, does not tell. */
const chunkOf = (chunks: Chunks, source: string): Rolldown.OutputChunk => {
  const id = join(projectRoot, "src/ui", source);
  const found = chunks.find(({ moduleIds }) => moduleIds.includes(id));
  if (found === undefined) throw new Error(`the bundle has no chunk for ${source}`);
  return found;
};

/** Adds a file and all that it imports. */
const addFiles = (chunks: Chunks, file: string, wanted: Set<string>): void => {
  if (wanted.has(file)) return;
  wanted.add(file);
  const { imports = [] } = chunks.find(({ fileName }) => fileName === file) ?? {};
  for (const next of imports) addFiles(chunks, next, wanted);
};

const only = (files: string[], what: string): string => {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new Error(`expected one ${what}, found ${files.length}`);
  return file;
};

/** A script that needs nothing of the application, as one small text; `file` is below src/ui. Throws when it cannot be built. */
export const bundleScript = async (file: string, format: "iife" | "esm"): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(projectRoot, "src/ui", file)],
    target: "browser",
    format,
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${file} was not built`);
  return (await output.text()).trim();
};

/** Where the server offers these files. */
const folder = "/api/plugin-host";

/** What plugins in the host's own window share with it: the name that they import, the file that stands for it, and the module. */
const shared: readonly { name: string; file: string; module: object }[] = [
  { name: "react", file: "react.js", module: react },
  { name: "react/jsx-runtime", file: "react-jsx-runtime.js", module: jsxRuntime },
  { name: "react-dom", file: "react-dom.js", module: reactDom },
  { name: "@atrium/plugin-sdk", file: "sdk.js", module: sdk },
  { name: "@atrium/plugin-sdk/ui", file: "sdk-ui.js", module: ui },
];

/** Tells browsers where those names lead; it is in the pages of the admin area. */
export const importMap = JSON.stringify({
  imports: Object.fromEntries(shared.map(({ name, file }) => [name, `${folder}/${file}`])),
});

/** The files by name: one for each shared module, and the script of the frames in which untrusted plugins run. */
export const buildHostFiles = async (): Promise<Map<string, Uint8Array>> => {
  const encoder = new TextEncoder();
  const files = new Map(shared.map(({ name, file, module }) => [file, encoder.encode(shimOf(name, module))]));
  files.set("frame.js", encoder.encode(await bundleScript("plugin-host/frame/frame.ts", "esm")));
  return files;
};

/** A module that hands on the host's own copy: there is only one React in a window. */
const shimOf = (name: string, module: object): string => {
  const names = Object.keys(module).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default");
  return [
    `const m=globalThis.__ATRIUM_SHARED__[${JSON.stringify(name)}];`,
    "export default m.default??m;",
    ...names.map((key) => `export const ${key}=m.${key};`),
  ].join("\n");
};
