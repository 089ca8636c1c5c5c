import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { projectRoot } from "../project-root.ts";
import { bundleScript } from "./bundle-script.ts";

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
