import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { fingerprint } from "./fingerprint.ts";

const stampFile = join(projectRoot, "node_modules", ".installed-lockfile");

/**
 * Installs exactly what bun.lock says, unless node_modules was filled from this very lock file. Exits with the
 * installer's code when that fails: nothing else can run without it.
 */
export const ensureDependencies = (): void => {
  const wanted = fingerprint(["bun.lock"]);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  console.error("Installing dependencies …");
  const { exitCode } = Bun.spawnSync([process.execPath, "install", "--frozen-lockfile"], {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) process.exit(exitCode);
  writeFileSync(stampFile, wanted);
};
