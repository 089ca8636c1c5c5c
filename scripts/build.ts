/** Prepares what the server needs: `bun run build [ui] [seed] [interpreter] [plugins]`, without words all of it. */
import { allBuildTargets, type BuildTarget, buildAndStamp, isBuildTarget } from "./prepare/build-targets.ts";
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";

const names: Record<BuildTarget, string> = {
  ui: "the user interface",
  seed: "the database seed",
  interpreter: "the plugins' interpreter",
  plugins: "the shipped plugins",
};

/** Loaded only when wanted, because they reach into node_modules, which may have been filled a moment ago. */
const builders: Record<BuildTarget, () => Promise<unknown>> = {
  ui: async () => (await import("./build-ui.ts")).buildUi(),
  seed: async () => (await import("./build-seed.ts")).buildSeed(),
  interpreter: async () => (await import("./build-interpreter.ts")).buildInterpreter(),
  plugins: async () => (await import("./build-plugins.ts")).buildPlugins(),
};

ensureDependencies();
const words = process.argv.slice(2);
const unknown = words.filter((word) => !isBuildTarget(word));
if (unknown.length > 0) {
  console.error(`Unknown build target: ${unknown.join(", ")}. Expected: ${allBuildTargets.join(", ")}`);
  process.exit(2);
}
const build = async (target: BuildTarget): Promise<void> => {
  const startedAt = performance.now();
  console.error(`Building ${names[target]} …`);
  await buildAndStamp(target, builders[target]);
  console.error(`Built ${names[target]} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
};

// Side by side, for each leaves a core idle. A failure waits for the others to end, so that it can clean up.
const targets = words.length > 0 ? words.filter(isBuildTarget) : allBuildTargets;
const results = await Promise.allSettled(targets.map(build));
const failures = results.filter((result) => result.status === "rejected");
for (const { reason } of failures) console.error(reason);
process.exit(failures.length > 0 ? 1 : 0);
