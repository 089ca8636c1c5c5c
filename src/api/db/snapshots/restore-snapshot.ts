import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { stampOf } from "#api/core/ids.ts";
import { syncPath, syncTree } from "../embedded/free-space.ts";
import { unpackCluster } from "../embedded/unpack-cluster.ts";
import { listSnapshots } from "./snapshot-files.ts";
import { checkSnapshot } from "./write-cluster.ts";

/** A snapshot that is not there or cannot be used. The message is for the operator. */
export class UnfitSnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnfitSnapshotError";
  }
}

/**
 * Puts a snapshot in the place of the embedded database. What was there is kept as `replaced`, a folder beside it, or a
 * file if it was one; `null` where there was nothing. The caller holds the data folder's lock. Throws
 * {@link UnfitSnapshotError}, and the reason of `ended` should that come first; then nothing is changed.
 */
export const restoreSnapshot = async ({
  dataDir,
  name,
  now,
  ended,
}: {
  dataDir: string;
  name: string;
  now: Date;
  ended?: AbortSignal;
}): Promise<{ restored: string; replaced: string | null }> => {
  const files = await listSnapshots(dataDir);
  const file = files.find((known) => known.name === name.replace(/\.tar\.zst$/, ""));
  if (file === undefined) {
    const known =
      files.length === 0 ? "There are none" : `There are: ${files.map((one) => one.name).join(", ")}`;
    throw new UnfitSnapshotError(`There is no snapshot ${name} in ${dataDir}. ${known}`);
  }
  const folder = join(dataDir, "database");
  // Not the name under which a new database is made: a start that fails half-way may remove that.
  const draft = join(dataDir, "database.restoring");
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  try {
    for (const step of [
      () => checkSnapshot(file.path),
      () => unpackCluster(file.path, draft),
      () => syncTree(draft),
    ]) {
      await step();
      ended?.throwIfAborted();
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    ended?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnfitSnapshotError(
      `The snapshot ${file.name} could not be unpacked (${reason}). Nothing was changed`,
    );
  }
  // After a crash between the two there is no database, and a start refuses to make a new one beside snapshots.
  const replaced = existsSync(folder) ? freePath(`${folder}.replaced-${stampOf(now)}`) : null;
  if (replaced !== null) await rename(folder, replaced);
  await rename(draft, folder);
  await syncPath(dataDir);
  return { restored: file.name, replaced };
};

const freePath = (path: string, attempt = 1): string => {
  const candidate = attempt === 1 ? path : `${path}-${attempt}`;
  return existsSync(candidate) ? freePath(path, attempt + 1) : candidate;
};
