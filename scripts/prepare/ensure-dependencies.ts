import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";

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

/** Whether tools have been installed here before, with or without a stamp. */
const hasTools = (): boolean =>
  Object.keys(packageJson.devDependencies).some((name) =>
    existsSync(join(projectRoot, "node_modules", name)),
  );

/**
 * A hash over the names and contents of files and folders, given relative to the project; what does not exist
 * counts as absent. Contents, not times, because a checkout gives every file a new time.
 */
export const fingerprint = (inputs: readonly string[]): string => {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const input of inputs) {
    for (const path of filesBelow(input)) {
      hasher
        .update(`${path}\0`)
        .update(readFileSync(join(projectRoot, path)))
        .update("\0");
    }
  }
  return hasher.digest("hex");
};

/**
 * Tests never reach a build, so a changed test does not make one stale. Packages that lie in a feature's folder follow from the lock
 * file.
 */
const filesBelow = (path: string): string[] => {
  const stats = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (stats === undefined || /\.test\.tsx?$/.test(path)) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(projectRoot, path))
    .filter((name) => name !== "node_modules")
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};
