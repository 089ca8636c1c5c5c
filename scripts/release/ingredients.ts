import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";
import { compileTargets, ownTarget, type TargetName } from "./targets.ts";

/** Something inside that is no package. `sha256` is of the file that goes in; `within`: what brings it. */
export type Ingredient = {
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
