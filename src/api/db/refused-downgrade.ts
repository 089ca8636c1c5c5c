import type { DatabaseHandle } from "./database-handle.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { restoreCommand } from "./snapshots/snapshot-files.ts";
import { readVersionStamp } from "./version-stamp.ts";

/** Tells somebody who starts `version` on a database that a newer one has changed what to do. */
export const refusedDowngrade = async (
  handle: Pick<DatabaseHandle, "db" | "snapshots">,
  version: string,
): Promise<UnfitDatabaseError> => {
  const stamp = await readVersionStamp(handle.db);
  const newer = stamp === null || stamp === version ? "a newer version" : `version ${stamp}`;
  return new UnfitDatabaseError(
    `The database is newer than this program: ${newer} of Atrium has changed it, and this is version ${version}. Nothing was changed. ` +
      `Start ${newer} again, or go back to the state before the upgrade, without what was written since: ${await wayBack(handle)}`,
  );
};

const wayBack = async ({ snapshots }: Pick<DatabaseHandle, "snapshots">): Promise<string> => {
  // What the newer one has added there this program does not know, and so cannot remove: a later upgrade would meet it.
  if (snapshots === null)
    return "make an empty database, name it in DATABASE_URL, and restore a backup into it that was made before the upgrade, with `atrium restore`";
  const made = (await snapshots.list()).find(({ before }) => before !== null);
  return made === undefined
    ? "restore a backup that was made before it with `atrium restore`"
    : `run \`${restoreCommand(made)}\``;
};
