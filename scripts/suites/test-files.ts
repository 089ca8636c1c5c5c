import { projectRoot } from "../project-root.ts";
import type { Suite } from "./suites.ts";
import { testsOnDatabase } from "./tests-on-database.ts";

/** How much runs: what a person runs before a commit, every file, or the files that the first leaves out. */
export const tiers = ["quick", "all", "rest"] as const;
export type Tier = (typeof tiers)[number];

/** The test files of a suite in a tier, sorted, relative to the project. */
export const filesOf = (suite: Suite, tier: Tier): string[] => {
  const files = allFiles(suite);
  if (tier === "all") return files;
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
    .filter((file) => !suite.leftOut.includes(file))
    .sort();
  if (!suite.onPostgres) return files;
  const used = new Set(testsOnDatabase(files.filter((file) => file.startsWith("src/"))));
  return files.filter((file) => !file.startsWith("src/") || used.has(file));
};
