import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";

/** An import by a file of an own feature of what is not in the stable surface: the `module` that it names, and its `path` in the project. */
export type ReachIn = { file: string; module: string; path: string };

/** What own features import of Atrium, types too, beyond its stable surface; sorted by file. */
export const findReachIns = (): ReachIn[] =>
  [...new Bun.Glob("src/plugins/*/**/*.{ts,tsx}").scanSync(projectRoot)]
    .filter((file) => existsSync(join(projectRoot, featureOf(file), "feature.ts")))
    .filter((file) => !file.includes("/node_modules/"))
    .sort()
    .flatMap((file) =>
      [...readFileSync(join(projectRoot, file), "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)]
        .map(([, module = ""]) => ({ file, module, path: pathOf(file, module) }))
        .filter(({ module, path }) => !/^#app(?:\/|$)/.test(module) && isOutside(file, path)),
    );

const featureOf = (file: string): string => file.split("/").slice(0, 3).join("/");

/** A package leads nowhere in the project. */
const isOutside = (file: string, path: string): boolean =>
  path !== "." && !path.startsWith(`${featureOf(file)}/`);

const pathOf = (file: string, module: string): string => {
  if (module.startsWith(".")) return join(file, "..", module);
  const folders: Readonly<Record<string, string>> = packageJson.imports;
  const [alias = "", rest = ""] = module.split(/\/(.*)/s);
  return join((folders[module] ?? folders[`${alias}/*`] ?? "").replace("*", rest));
};
