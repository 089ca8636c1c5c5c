import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";
import { buildInFolder, compileTargets, ownTarget, type TargetName } from "./compile-executable.ts";

/** The parts of a CycloneDX document that are read or added to here; each `ref` begins with `name@`. */
type Bom = { components: object[]; dependencies: { ref: string; dependsOn?: string[] }[] };

/**
 * The software bill of materials as CycloneDX 1.6 in JSON: `packages`, and `ingredients`. The same product gives the same
 * bytes. Throws when the result doesn't follow the standard's schema.
 */
export const billOf = async (packages: Bom, ingredients: readonly Ingredient[]): Promise<string> => {
  const bom = structuredClone(packages);
  const rowOf = (name: string) => bom.dependencies.find(({ ref }) => ref.startsWith(`${name}@`));
  for (const { within, license, sha256, ...facts } of ingredients) {
    bom.components.push({
      ...facts,
      "bom-ref": facts.purl,
      licenses: [{ license: { id: license } }],
      hashes: [{ alg: "SHA-256", content: sha256 }],
    });
    const holder = rowOf(within) ?? rowOf(packageJson.name);
    if (holder === undefined) throw new Error("the generator doesn't list the product");
    holder.dependsOn = [...(holder.dependsOn ?? []), facts.purl];
    bom.dependencies.push({ ref: facts.purl });
  }
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  const faults = await new JsonStrictValidator(Version.v1dot6).validate(text);
  if (faults !== null) throw new Error(`the bill of materials is invalid: ${JSON.stringify(faults)}`);
  return text;
};

/** Bundles the server and everything that pages are made of, and has the generator list the packages that went in. */
export const listPackages = async (): Promise<Bom> => {
  const folder = await mkdtemp(join(tmpdir(), "atrium-bill-"));
  try {
    const outputFile = join(folder, "bom.json");
    const built = await buildInFolder(projectRoot, {
      // One entry, because modules that several have in common would be bundled several times. It takes the place of this
      // file, because the generator lists a file that doesn't exist as a component.
      entrypoints: [import.meta.path],
      files: { [import.meta.path]: everything() },
      target: "bun",
      minify: true,
      metafile: true,
      plugins: [plainStyles, generator(outputFile)],
      throw: false,
    });
    if (!built.success) throw new AggregateError(built.logs, "the product could not be bundled");
    return await Bun.file(outputFile).json();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Imports the server, and the sources of the interface and of bundled plugins without their tests. */
const everything = (): string =>
  ["src/cli/main.ts", ...new Bun.Glob("src/{ui,plugins}/**/*.{ts,tsx}").scanSync(projectRoot)]
    .filter((path) => !/\.(?:test|d)\.tsx?$|\/test(?:ing)?\//.test(path))
    .sort()
    // Used as a whole: what nothing uses is left out.
    .map((path) => `console.log(await import(${JSON.stringify(join(projectRoot, path))}));\n`)
    .join("");

/** Bun's own bundler refuses this word of Tailwind's. */
const plainStyles: Bun.BunPlugin = {
  name: "plain styles",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.css$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replace(/ source\("[^"]*"\)/, ""),
      loader: "css",
    }));
  },
};

/** It is made for Bun, too, but its types name esbuild alone. */
const generator = (outputFile: string): Bun.BunPlugin =>
  cyclonedxEsbuildPlugin({
    outputFile,
    outputReproducible: true,
    logLevel: "silent",
  }) as unknown as Bun.BunPlugin;

/** Something inside that is no package. `sha256` is of the file that goes in; `within`: what brings it. */
type Ingredient = {
  type: string;
  name: string;
  version: string;
  description: string;
  license: string;
  purl: string;
  sha256: string;
  within: string;
};

/** The runtimes of `targets`, programs inside packages, and the font. Throws when one cannot be read. */
export const takeIngredients = (targets: readonly TargetName[]): Ingredient[] => [
  ...targets.map(runtime),
  postgres(),
  quickjs(),
  font(),
];

/** The executable is a copy of it with the product behind it. */
const runtime = (machine: TargetName): Ingredient => ({
  type: "platform",
  name: "bun",
  version: Bun.version,
  description: `The runtime for ${machine}`,
  license: "MIT",
  // Tells the runtimes of several machines apart.
  purl: `pkg:npm/bun@${Bun.version}?platform=${machine}`,
  sha256: sha256Of(runtimeFile(machine)),
  within: packageJson.name,
});

const postgres = (): Ingredient => {
  const within = "@electric-sql/pglite";
  const path = inPackage(within, "dist/pglite.wasm");
  const version = found(/PostgreSQL (\d+\.\d+) \(PGlite/, path, "latin1");
  return {
    type: "application",
    name: "postgresql",
    version,
    description: "PostgreSQL with pg_trgm, as WebAssembly",
    license: "PostgreSQL",
    purl: `pkg:generic/postgresql@${version}`,
    sha256: sha256Of(path),
    within,
  };
};

const quickjs = (): Ingredient => {
  const within = "@jitl/quickjs-wasmfile-release-sync";
  const readme = inPackage(within, "README.md");
  const commit = found(/bellard\/quickjs\/commit\/([0-9a-f]{40})/, readme);
  return {
    type: "library",
    name: "quickjs",
    version: found(/Version \[(\d{4}-\d\d-\d\d)\+/, readme),
    description: "QuickJS, as WebAssembly, with metering added",
    license: "MIT",
    purl: `pkg:github/bellard/quickjs@${commit}`,
    sha256: sha256Of(interpreterFile),
    within,
  };
};

const font = (): Ingredient => {
  const folder = join(projectRoot, "src/ui/fonts");
  const version = found(/is Inter (\d+)/, join(folder, "README.md"));
  return {
    type: "file",
    name: "inter",
    version,
    description: "The font of the interface: Inter, cut to its Latin characters",
    license: "OFL-1.1",
    purl: `pkg:generic/inter@${version}`,
    sha256: sha256Of(join(folder, "inter-latin.woff2")),
    within: packageJson.name,
  };
};

const inPackage = (name: string, path: string): string => join(projectRoot, "node_modules", name, path);

const sha256Of = (path: string): string =>
  new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");

const found = (pattern: RegExp, path: string, encoding: "utf8" | "latin1" = "utf8"): string => {
  const [, text] = pattern.exec(readFileSync(path, encoding)) ?? [];
  if (text === undefined) throw new Error(`${path} does not say ${pattern}`);
  return text;
};

/** The runtime that the compiler puts the product into: this one on machines of its kind, else the one that it fetched. Throws before it has. */
const runtimeFile = (target: TargetName): string => {
  if (target === ownTarget()) return process.execPath;
  const { stdout } = Bun.spawnSync([process.execPath, "pm", "cache"]);
  const name = compileTargets[target].replace("arm64", "aarch64");
  const path = join(stdout.toString().trim(), `${name}-v${Bun.version}`);
  if (!existsSync(path)) throw new Error(`the runtime of ${target} is not at ${path}`);
  return path;
};
