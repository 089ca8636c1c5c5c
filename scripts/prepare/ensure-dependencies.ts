import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";
import { fingerprint } from "./fingerprint.ts";

const stampFile = join(projectRoot, "node_modules", ".installed-lockfile");

/** `tools`: whether those for checks, tests, benchmarks and releases are wanted, too (`devDependencies`). */
type Wanted = { tools?: boolean };

/**
 * Installs exactly what bun.lock says, unless node_modules was filled from this very lock file. Tools that are there stay
 * there. Exits with the installer's code when it fails: nothing else can run without it.
 */
export const ensureDependencies = ({ tools = false }: Wanted = {}): void => {
  const lock = fingerprint(["bun.lock"]);
  const withTools = `${lock} with tools`;
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
  if (stamp === withTools || (stamp === lock && !tools)) return;
  const isWhole = tools || hasTools();
  console.error(`Installing packages${isWhole ? " and tools" : ""} (about 2 s once they are downloaded) …`);
  const { exitCode } = Bun.spawnSync(
    [process.execPath, "install", "--frozen-lockfile", ...(isWhole ? [] : withoutTools)],
    { cwd: projectRoot, stdio: ["ignore", "ignore", "inherit"] },
  );
  if (exitCode !== 0) process.exit(exitCode);
  writeFileSync(stampFile, isWhole ? withTools : lock);
};

/** Peers bring the compiler and other tools along; the two that the server needs are dependencies of its own. */
const withoutTools = ["--production", "--omit=peer"];

/** Whether somebody has installed tools here before, with or without a stamp. */
const hasTools = (): boolean =>
  Object.keys(packageJson.devDependencies).some((name) =>
    existsSync(join(projectRoot, "node_modules", name)),
  );
