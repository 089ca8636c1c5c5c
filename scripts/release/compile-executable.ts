import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";
import type { CompileTarget } from "./targets.ts";

/** Where `bun run build` puts the executable for this machine. */
export const executablePath: string = join(projectRoot, "dist/atrium");

/** `target`: the runtime to put the product into, this machine's own without it. `root`: the clone that it is made from. */
export type CompileOptions = { outfile: string; target?: CompileTarget; root?: string };

/**
 * Bundles the product with what has been built into one executable. The same sources make the same bytes, wherever the
 * clone and `outfile` are.
 */
export const compileExecutable = async ({
  outfile,
  target,
  root = projectRoot,
}: CompileOptions): Promise<void> => {
  await mkdir(dirname(outfile), { recursive: true });
  const workshop = await mkdtemp(join(dirname(outfile), ".compile-"));
  try {
    // Its own name is among the bytes, so that is always the same one; and a running executable cannot be written over.
    const draft = join(workshop, "atrium");
    await bundle({ root, compile: { ...embedded, outfile: draft, ...(target ? { target } : {}) } });
    await rename(draft, outfile);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
};

/** Folders that are read at run time; the executable has each under its own last name. */
const assets = ["drizzle", "dist/seed", "dist/ui", "dist/plugins"];

const embedded: Omit<Bun.CompileBuildOptions, "outfile" | "target"> = {
  assets: assets.map((folder) => `./${folder}`),
  // What the operator configures is read by the product itself, and nothing else may have a say.
  autoloadDotenv: false,
  autoloadBunfig: false,
};

/**
 * The engine's own files go in compressed, which the engine knows: the bytes saved make up for the bytecode of all
 * functions, without which a start takes a fifth longer.
 */
const compressedFiles: Bun.BunPlugin = {
  name: "compressed files",
  setup: (build) => {
    build.onLoad({ filter: /\/pglite\/dist\/(?:pglite\.data|\w+\.wasm)$/ }, async ({ path }) => ({
      contents: await Bun.zstdCompress(await Bun.file(path).bytes(), { level: 19 }),
      loader: "file",
    }));
  },
};

const bundle = async ({ root, compile }: { root: string; compile: Bun.CompileBuildOptions }) => {
  const built = await buildInFolder(root, {
    compile,
    entrypoints: ["./src/cli/main.ts"],
    target: "bun",
    format: "esm",
    // Each command loads what it needs and no more: parsing all of it takes longer than most commands.
    splitting: true,
    minify: true,
    bytecode: true,
    plugins: [compressedFiles],
    // Packages of an older kind would otherwise have the clone's folder in them.
    define: { __dirname: '"/$bunfs/root"', __filename: '"/$bunfs/root/atrium"' },
    throw: false,
  });
  if (!built.success) throw new AggregateError(built.logs, "the executable could not be bundled");
};

/** Bundles with `folder` as the working directory: the bundler's names for files are relative to it. */
export const buildInFolder = async (folder: string, config: Bun.BuildConfig): Promise<Bun.BuildOutput> => {
  const former = process.cwd();
  process.chdir(folder);
  try {
    return await Bun.build(config);
  } finally {
    process.chdir(former);
  }
};
