import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { fingerprint } from "./fingerprint.ts";

/** What is built, what it is made from, and where it ends up. A server from a clone needs {@link serverTargets}. */
export const buildTargets = {
  ui: {
    inputs: [
      "bun.lock",
      "scripts/build-ui.ts",
      "scripts/docs",
      "scripts/ui",
      "vite.config.ts",
      "src/ui",
      "src/api/contract",
      "src/api/http/pages",
      "src/plugins/sdk",
      // The documentation is part of it, and in that the help of each command.
      "docs",
      "src/cli",
      "src/plugins/first-party.ts",
      "src/plugins/licensing/plugin.json",
      "src/plugins/firewall/plugin.json",
      "src/plugins/web-performance-optimization/plugin.json",
      "src/plugins/plugin-template/plugin.json",
    ],
    output: "dist/ui",
  },
  seed: {
    // An older seed is only slower: what it lacks is migrated at start.
    inputs: [
      "node_modules/@electric-sql/pglite/package.json",
      "scripts/build-seed.ts",
      "scripts/seed",
      "src/api/db/bundled-files.ts",
      "src/api/db/embedded/engine.ts",
      "drizzle",
    ],
    output: "dist/seed",
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
  client: {
    inputs: [
      "bun.lock",
      "package.json",
      "scripts/build-client.ts",
      "scripts/client",
      "src/api",
      "src/client",
      "src/plugins/sdk",
    ],
    output: "dist/client",
  },
  executable: {
    inputs: [
      "bun.lock",
      "package.json",
      "scripts/release/compile-executable.ts",
      "drizzle",
      "src/api",
      "src/cli",
      "src/plugins",
      "dist/plugins",
      "dist/seed",
      "dist/ui",
    ],
    output: "dist/atrium",
  },
} as const;

export type BuildTarget = keyof typeof buildTargets;

/** What has to be there before the server can run from a clone; the executable holds all of it. */
export const serverTargets = ["ui", "seed", "plugins"] as const satisfies BuildTarget[];

/** Narrows a word from the command line. */
export const isBuildTarget = (word: string): word is BuildTarget => word in buildTargets;

export const allBuildTargets = Object.keys(buildTargets).filter(isBuildTarget);

/** Those of `targets` whose inputs have changed since they were built, or whose output is gone. */
export const staleTargets = (targets: readonly BuildTarget[] = serverTargets): BuildTarget[] => {
  const stale = targets.filter(isStale);
  // It is made from the others, which are not there yet.
  return targets.includes("executable") && stale.length > 0 && !stale.includes("executable")
    ? [...stale, "executable"]
    : stale;
};

const isStale = (target: BuildTarget): boolean => {
  const stamp = stampFile(target);
  if (!existsSync(stamp) || !existsSync(join(projectRoot, buildTargets[target].output))) return true;
  return readFileSync(stamp, "utf8") !== fingerprint(buildTargets[target].inputs);
};

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
