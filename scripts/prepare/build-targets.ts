import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { fingerprint } from "./fingerprint.ts";

/** What has to be built before the server can run, what it is made from, and where it ends up. */
export const buildTargets = {
  ui: {
    inputs: [
      "bun.lock",
      "scripts/build-ui.ts",
      "scripts/ui",
      "vite.config.ts",
      "src/ui",
      "src/api/contract",
      "src/api/http/pages",
      "src/plugins/sdk",
    ],
    output: "dist/ui",
  },
  seed: {
    // An older seed is only slower: what it lacks is migrated at start.
    inputs: [
      "node_modules/@electric-sql/pglite/package.json",
      "scripts/build-seed.ts",
      "src/api/db/bundled-files.ts",
      "src/api/db/embedded/engine.ts",
      "drizzle",
    ],
    output: "dist/seed",
  },
  interpreter: {
    inputs: [
      "node_modules/@jitl/quickjs-wasmfile-release-sync/package.json",
      "node_modules/binaryen/package.json",
      "scripts/build-interpreter.ts",
    ],
    output: "dist/interpreter",
  },
  plugins: {
    inputs: [
      "bun.lock",
      "scripts/build-plugins.ts",
      "src/api/plugin-host/author",
      "src/api/plugin-host/package",
      "src/plugins",
    ],
    output: "dist/plugins",
  },
} as const;

export type BuildTarget = keyof typeof buildTargets;

/** Narrows a word from the command line. */
export const isBuildTarget = (word: string): word is BuildTarget => word in buildTargets;

export const allBuildTargets = Object.keys(buildTargets).filter(isBuildTarget);

/** The targets whose inputs have changed since they were built, or whose output is gone. */
export const staleTargets = (): BuildTarget[] =>
  allBuildTargets.filter((target) => {
    const stamp = stampFile(target);
    if (!existsSync(stamp) || !existsSync(join(projectRoot, buildTargets[target].output))) return true;
    return readFileSync(stamp, "utf8") !== fingerprint(buildTargets[target].inputs);
  });

/**
 * Runs `build` and remembers what it was made from. The inputs are read first: a change made while the build runs
 * leaves the target stale.
 */
export const buildAndStamp = async (target: BuildTarget, build: () => Promise<unknown>): Promise<void> => {
  const inputs = fingerprint(buildTargets[target].inputs);
  await build();
  mkdirSync(dirname(stampFile(target)), { recursive: true });
  writeFileSync(stampFile(target), inputs);
};

const stampFile = (target: BuildTarget): string => join(projectRoot, "dist", ".built-from", target);
