import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

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

/** Tests never reach a build, so a changed test does not make one stale. */
const filesBelow = (path: string): string[] => {
  const stats = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (stats === undefined || /\.test\.tsx?$/.test(path)) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(projectRoot, path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};
