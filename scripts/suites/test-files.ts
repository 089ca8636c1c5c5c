import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { own } from "../../src/plugins/own.ts";
import { projectRoot } from "../project-root.ts";
import type { Suite } from "./suites.ts";

/**
 * How much runs: what a person runs before a commit, every file, the files that the first leaves out, or those of own features with
 * the test that the product starts.
 */
export const tiers = ["quick", "all", "rest", "own"] as const;
export type Tier = (typeof tiers)[number];

/** The test files of a suite in a tier, sorted, relative to the project. */
export const filesOf = (suite: Suite, tier: Tier): string[] => {
  const files = allFiles(suite);
  if (tier === "all") return files;
  if (tier === "own")
    return files.filter((file) => file === "tests/own/product.test.ts" || isListed(folderOf(file)));
  const isQuick = quickOf(suite);
  return files.filter((file) => isQuick(file) === (tier === "quick"));
};

const quickOf = ({ quick }: Suite): ((file: string) => boolean) => {
  const named = new Set<string>("only" in quick ? quick.only : quick.allBut);
  return (file) => named.has(file) === "only" in quick;
};

/** On a real server, of the folders of the source only the files that use a database. */
const allFiles = (suite: Suite): string[] => {
  const files = suite.paths
    .flatMap((path) => [...new Bun.Glob(`${path}/**/*.test.{ts,tsx}`).scanSync(projectRoot)])
    .filter(
      (file) => !suite.leftOut.includes(file) && !file.includes("/node_modules/") && !isOfUnlisted(file),
    )
    .sort();
  if (!suite.onPostgres) return files;
  const used = new Set(testsOnDatabase(files.filter((file) => file.startsWith("src/"))));
  return files.filter((file) => !file.startsWith("src/") || used.has(file));
};

const listed: readonly { name: string }[] = own;

/** Whether a file is of a feature that isn't listed, such as the sample: its table isn't there. `tests/own` lists it. */
const isOfUnlisted = (file: string): boolean => {
  const name = folderOf(file);
  return (
    name !== undefined && existsSync(join(projectRoot, "src/plugins", name, "feature.ts")) && !isListed(name)
  );
};

/** The folder in `src/plugins` that a file is in. */
const folderOf = (file: string): string | undefined => /^src\/plugins\/([^/]+)\//.exec(file)?.[1];

const isListed = (name: string | undefined): boolean => listed.some((feature) => feature.name === name);

/** The word by which a module shows that it opens the database that the environment names. */
const namesServer = "TEST_DATABASE_URL";

const aliases: readonly (readonly [prefix: string, folder: string])[] = [
  ["#contract/", "src/api/contract/"],
  ["#api/", "src/api/"],
  ["#cli/", "src/cli/"],
  ["#plugins/", "src/plugins/"],
  ["#ui/", "src/ui/"],
];

/**
 * Those of the test files, by their paths below the project, whose imports lead to a database that may stand on a server:
 * for the others it makes no difference that there is one.
 */
export const testsOnDatabase = (files: readonly string[]): string[] => {
  const importers = new Map<string, string[]>();
  const seen = new Set<string>();
  const reached: string[] = [];
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(projectRoot, file), "utf8");
    if (text.includes(namesServer)) reached.push(file);
    for (const target of importsOf(file, text)) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
      open.push(target);
    }
  }
  // From the modules that name the server back to all that import them.
  const leadThere = new Set<string>();
  for (let file = reached.pop(); file !== undefined; file = reached.pop()) {
    if (leadThere.has(file)) continue;
    leadThere.add(file);
    reached.push(...(importers.get(file) ?? []));
  }
  return files.filter((file) => leadThere.has(file));
};

const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

const importsOf = (file: string, text: string): string[] => {
  if (!/\.tsx?$/.test(file)) return [];
  const found = transpilers[file.endsWith("x") ? "tsx" : "ts"].scanImports(text);
  return found.flatMap(({ path }) => {
    const target = placeOf(file, path);
    return target !== null && existsSync(join(projectRoot, target)) ? [target] : [];
  });
};

const placeOf = (file: string, specifier: string): string | null => {
  if (specifier.startsWith(".")) return join(dirname(file), specifier);
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  return alias === undefined ? null : `${alias[1]}${specifier.slice(alias[0].length)}`;
};
