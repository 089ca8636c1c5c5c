import { readFileSync } from "node:fs";
import { join } from "node:path";
import { interpreterFile } from "#api/plugin-host/sandbox/child/interpreter-file.ts";
import { projectRoot } from "../project-root.ts";
import { runtimeFile } from "./runtime-file.ts";
import type { TargetName } from "./targets.ts";

/** Something inside that is no package of bun.lock. `sha256` is of the file that goes in; `within`: the package that brings it. */
export type Ingredient = {
  type: "platform" | "application" | "library" | "file";
  name: string;
  version: string;
  /** Tells several of one name and version apart. */
  machine?: TargetName;
  licence: string;
  purl: string;
  description: string;
  sha256: string;
  within: string | null;
};

/** The runtimes of `targets`, other people's programs inside of packages, and the font. Throws when one cannot be read. */
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
  machine,
  licence: "MIT",
  purl: `pkg:npm/bun@${Bun.version}`,
  description: `The runtime for ${machine}`,
  sha256: sha256Of(runtimeFile(machine)),
  within: null,
});

const postgres = (): Ingredient => {
  const path = inPackage("@electric-sql/pglite", "dist/pglite.wasm");
  const version = found(/PostgreSQL (\d+\.\d+) \(PGlite/, path, "latin1");
  return {
    type: "application",
    name: "postgresql",
    version,
    licence: "PostgreSQL",
    purl: `pkg:generic/postgresql@${version}`,
    description: "PostgreSQL with pg_trgm, as WebAssembly",
    sha256: sha256Of(path),
    within: "@electric-sql/pglite",
  };
};

const quickjs = (): Ingredient => {
  const name = "@jitl/quickjs-wasmfile-release-sync";
  const readme = inPackage(name, "README.md");
  const commit = found(/bellard\/quickjs\/commit\/([0-9a-f]{40})/, readme);
  return {
    type: "library",
    name: "quickjs",
    version: found(/Version \[(\d{4}-\d\d-\d\d)\+/, readme),
    licence: "MIT",
    purl: `pkg:github/bellard/quickjs@${commit}`,
    description: "QuickJS, as WebAssembly; metered by the build",
    sha256: sha256Of(interpreterFile),
    within: name,
  };
};

const font = (): Ingredient => {
  const folder = join(projectRoot, "src/ui/fonts");
  const version = found(/is Inter (\d+)/, join(folder, "README.md"));
  return {
    type: "file",
    name: "inter",
    version,
    licence: "OFL-1.1",
    purl: `pkg:generic/inter@${version}`,
    description: "The font of the interface: Inter, cut to its Latin characters",
    sha256: sha256Of(join(folder, "inter-latin.woff2")),
    within: null,
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
