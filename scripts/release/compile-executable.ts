import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";

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

/** Machines that executables are made for, by the name in the file's own name, and the runtime that each gets. */
export const compileTargets = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64",
  "darwin-arm64": "bun-darwin-arm64",
} as const;

export type TargetName = keyof typeof compileTargets;
type CompileTarget = (typeof compileTargets)[TargetName];

/** Narrows a word from the command line. */
export const isTargetName = (word: string): word is TargetName => word in compileTargets;

export const allTargets = Object.keys(compileTargets).filter(isTargetName);

/** The kind of a machine, which need not be among the targets, from what the runtime on it says and has loaded. */
export const kindOf = ({ platform, arch, loaded }: { platform: string; arch: string; loaded: string }) =>
  // Not by what lies on the disk: with musl's tools or a layer for programs of the other kind, both loaders are there.
  `${platform}-${arch}${/\/ld-musl-\w+\.so/.test(loaded) ? "-musl" : ""}`;

/** This machine's own kind. */
export const ownTarget = (): string => {
  const { platform, arch } = process;
  const maps = "/proc/self/maps";
  return kindOf({ platform, arch, loaded: existsSync(maps) ? readFileSync(maps, "utf8") : "" });
};
