import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { bundledPackages } from "./compile-executable.ts";
import { readLock } from "./read-lock.ts";

/**
 * A package that is part of the executable. `integrity` and `needs`, each `name@version` and not all of them inside, are as
 * bun.lock has them; `isOwn`: the product asks for it itself.
 */
export type Part = {
  name: string;
  version: string;
  licence: string;
  integrity: string;
  needs: readonly string[];
  isOwn: boolean;
};

/** `package.json` of the product, as far as it matters here. */
export type Product = {
  name: string;
  version: string;
  license: string;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/** The product's own `package.json`. */
export const readProduct = (): Product => readPackage(".");

/**
 * Every package that is inside, by name: what the server's bundle is made from, what the interface and plugins import with
 * all that this needs, and each dependency that does more than build. Throws for one that bun.lock does not know.
 */
export const takeInventory = async (): Promise<Part[]> => {
  const folders = new Set(await bundledPackages());
  const follow = (name: string): void => {
    const folder = `node_modules/${name}`;
    if (!existsSync(join(projectRoot, folder)) || folders.has(folder) || installersAlone.has(name)) return;
    folders.add(folder);
    for (const needed of Object.keys(readPackage(folder).dependencies ?? {})) follow(needed);
  };
  for (const name of importedByPages()) follow(name);
  const { dependencies, devDependencies } = readProduct();
  for (const name of Object.keys(dependencies))
    if (!buildersAlone.has(name)) folders.add(`node_modules/${name}`);
  const lock = readLock();
  const parts = [...folders].map((folder): Part => {
    const { name, version, license } = readPackage(folder);
    const locked = lock.get(`${name}@${version}`);
    if (locked === undefined) throw new Error(`bun.lock does not know ${name} ${version}`);
    const isOwn = { ...dependencies, ...devDependencies }[name] === version;
    const { integrity, needs } = locked;
    return { name, version, licence: license, integrity, needs: [...needs], isOwn };
  });
  return parts.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

/** Dependencies that a clone builds its interface with, and of which nothing is inside of what they build. */
export const buildersAlone: ReadonlySet<string> = new Set([
  "@tailwindcss/vite",
  "@vitejs/plugin-react",
  "marked",
  "postcss",
  "vite",
]);

/** Packages of which nothing but a script for the installation is there; it is not run (`trustedDependencies`). */
const installersAlone: ReadonlySet<string> = new Set(["@scarf/scarf"]);

const keyOf = ({ name, version }: Part): string => `${name}@${version}`;

/** Packages that the sources of the interface and of shipped plugins name. */
const importedByPages = (): Set<string> => {
  const names = new Set<string>();
  const glob = new Bun.Glob("src/{ui,plugins}/**/*.{ts,tsx}");
  for (const path of glob.scanSync(projectRoot)) {
    if (/\.test\.tsx?$|\/testing\/|\/test\//.test(path)) continue;
    const loader = path.endsWith("x") ? "tsx" : "ts";
    const imports = new Bun.Transpiler({ loader }).scanImports(readFileSync(join(projectRoot, path)));
    for (const { path: wanted } of imports) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(wanted)?.[0] ?? "";
      if (/^[@a-z]/.test(name) && !builtinModules.includes(name) && !name.includes(":")) names.add(name);
    }
  }
  return names;
};

/** Trusts what the installer has unpacked. */
const readPackage = (folder: string): Product =>
  JSON.parse(readFileSync(join(projectRoot, folder, "package.json"), "utf8")) as Product;
