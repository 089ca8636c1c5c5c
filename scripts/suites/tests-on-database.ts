import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";

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
