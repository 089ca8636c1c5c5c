import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../../scripts/project-root.ts";
import type { Aliases, SourceFile } from "./find-import-violations.ts";

/** The names for folders that package.json gives to imports. */
export const aliases: Aliases = Object.fromEntries(
  Object.entries(packageJson.imports).map(([alias, path]) => [
    alias.replace(/\*$/, ""),
    path.replace(/^\.\//, "").replace(/\*$/, ""),
  ]),
);

/** The project's own files below some folders, or single files; without what an install or a build made. */
export const sourceFiles = (...roots: string[]): SourceFile[] =>
  roots
    .flatMap((root) => {
      const stats = statSync(join(projectRoot, root), { throwIfNoEntry: false });
      if (stats === undefined) return [];
      if (stats.isFile()) return [root];
      const found = new Bun.Glob("**/*").scanSync({
        cwd: join(projectRoot, root),
        onlyFiles: true,
        dot: true,
      });
      return [...found].map((path) => join(root, path));
    })
    .filter((path) => !/(^|\/)(node_modules|dist|data)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
