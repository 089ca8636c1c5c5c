import { projectRoot } from "../project-root.ts";
import { type BuildTarget, staleTargets } from "./build-targets.ts";

/**
 * Builds what is stale of `targets`, in a process of its own: this one may have looked for packages before they were installed,
 * and should not keep a bundler's memory. Exits with the build's code when it fails.
 */
export const ensureBuilt = (targets: readonly BuildTarget[]): void => {
  const stale = staleTargets(targets);
  if (stale.length === 0) return;
  const { exitCode } = Bun.spawnSync([process.execPath, "scripts/build.ts", ...stale], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) process.exit(exitCode);
};
