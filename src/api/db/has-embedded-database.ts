import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isSwapPending } from "./complete-swap.ts";
import { isEmptied, keptBeside } from "./embedded/unpack-cluster.ts";
import { isSnapshotFile, snapshotsFolder } from "./snapshots/snapshot-files.ts";

/**
 * Whether a data folder has an embedded database, or has had one: a start on what is left of it makes no new one but says
 * what is lost. Opens nothing.
 */
export const hasEmbeddedDatabase = (dataDir: string): boolean =>
  namesIn(join(dataDir, "database")).length > 0 ||
  isSwapPending(dataDir) ||
  namesIn(snapshotsFolder(dataDir)).some(isSnapshotFile) ||
  Object.values(keptBeside(dataDir)).some((paths) => paths.length > 0) ||
  isEmptied(dataDir);

/** The entries of a folder; of an unreadable one its own name, because it may contain something. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    return Reflect.get(Object(error), "code") === "ENOENT" ? [] : [folder];
  }
};
