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
  const known = new Map<string, boolean>();
  const leadsThere = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    // Whoever comes back here on the way is answered by the others.
    known.set(file, false);
    const text = readFileSync(join(projectRoot, file), "utf8");
    const isThere = text.includes(namesServer) || importsOf(file, text).some(leadsThere);
    known.set(file, isThere);
    return isThere;
  };
  // A circle may have been answered halfway: each file begins anew where it found nothing.
  return files.filter((file) => {
    if (leadsThere(file)) return true;
    for (const [path, answer] of known) if (!answer) known.delete(path);
    return false;
  });
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
