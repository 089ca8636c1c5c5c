import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { fingerprint } from "./ensure-dependencies.ts";

/** The lists of own features, and the folders of all: pages are made of them. */
const ownFeatures = (): string[] => {
  const plugins = "src/plugins";
  const folders = readdirSync(join(projectRoot, plugins)).map((name) => `${plugins}/${name}`);
  return folders.filter(
    (path) => /\/own[\w-]*\.ts$/.test(path) || existsSync(join(projectRoot, path, "feature.ts")),
  );
};

/** What is built, what it is made from, where it ends up, and how many seconds that usually takes on two cores. */
const buildTargets = {
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
      ...ownFeatures(),
    ],
    output: "dist/ui",
    seconds: 6,
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
    seconds: 6,
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
    seconds: 1,
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
    seconds: 3,
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
    seconds: 10,
  },
} as const;

export type BuildTarget = keyof typeof buildTargets;

/** What a server from a clone shows. */
export const serverTargets = ["ui", "plugins"] as const satisfies BuildTarget[];

/** What the executable holds. Tests take the same: the seed makes their many first starts short. */
export const executableParts = ["ui", "seed", "plugins"] as const satisfies BuildTarget[];

/** `isQuick`: the interface may be one that was built for a first start, hardly compressed. */
export type BuildKind = { isQuick: boolean };

/** How many seconds a build usually takes on two cores. */
export const usualSeconds = (target: BuildTarget, { isQuick }: BuildKind): number =>
  target === "ui" && isQuick ? quickUiSeconds : buildTargets[target].seconds;

const quickUiSeconds = 4;

/** Narrows a word from the command line. */
export const isBuildTarget = (word: string): word is BuildTarget => word in buildTargets;

export const allBuildTargets = Object.keys(buildTargets).filter(isBuildTarget);

/** Those of `targets` whose inputs have changed since they were built, or whose output is gone. */
export const staleTargets = (targets: readonly BuildTarget[], kind: BuildKind = whole): BuildTarget[] => {
  const stale = targets.filter((target) => isStale(target, kind));
  // It is made from the others, which are not there yet.
  return targets.includes("executable") && stale.length > 0 && !stale.includes("executable")
    ? [...stale, "executable"]
    : stale;
};

const whole: BuildKind = { isQuick: false };

const isStale = (target: BuildTarget, { isQuick }: BuildKind): boolean => {
  const stamp = stampFile(target);
  if (!existsSync(stamp) || !existsSync(join(projectRoot, buildTargets[target].output))) return true;
  const [inputs, quick] = readFileSync(stamp, "utf8").split(" ");
  return inputs !== fingerprint(buildTargets[target].inputs) || (quick !== undefined && !isQuick);
};

/**
 * Runs `build` and remembers what it was made from. The inputs are read first: a change made while the build runs
 * leaves the target stale. So does a build that is broken off.
 */
export const buildAndStamp = async (
  target: BuildTarget,
  build: () => Promise<unknown>,
  { isQuick }: BuildKind = whole,
): Promise<void> => {
  const inputs = fingerprint(buildTargets[target].inputs);
  rmSync(stampFile(target), { force: true });
  await build();
  mkdirSync(dirname(stampFile(target)), { recursive: true });
  writeFileSync(stampFile(target), target === "ui" && isQuick ? `${inputs} quick` : inputs);
};

const stampFile = (target: BuildTarget): string => join(projectRoot, "dist", ".built-from", target);
