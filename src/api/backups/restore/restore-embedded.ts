import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { stampOf } from "#api/core/stamp-of.ts";
import { swapIn } from "#api/db/complete-swap.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { syncTree } from "#api/db/embedded/sync-tree.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { movedNoteName } from "#api/db/transfer/moved-note.ts";
import { orDiskFull } from "./scratch-room.ts";

/** A restore into a data folder that this process holds. */
export type EmbeddedTarget = { dataDir: string; log: Log; clock: Clock };

/** What `work` leaves behind in the new database; `key`, if given, becomes the installation's. */
type Filled<T> = { outcome: T; key: string | null };

/**
 * Has `work` fill a new database beside the present one, and puts it in its place once all of it is on the disk. What
 * ends it before that leaves the present one as it was. Resolves also to the name under which that is kept.
 */
export const restoreEmbedded = async <T>(
  { dataDir, log, clock }: EmbeddedTarget,
  work: (handle: DatabaseHandle) => Promise<Filled<T>>,
  writeKey: (path: string, key: string) => Promise<void>,
): Promise<{ outcome: T; keptAs: string }> => {
  const scratch = join(dataDir, scratchName);
  await rm(scratch, { recursive: true, force: true });
  try {
    const { outcome, key } = await withScratch({ dataDir: scratch, log, clock }, work);
    const time = stampOf(clock.now());
    const keptAs = `database.replaced-${time}`;
    await syncTree(join(scratch, "database"));
    const moves = [{ from: `${scratchName}/database`, to: "database", aside: keptAs }];
    // It speaks of the database that is put aside: no server would start on the restored one while it stands.
    moves.push({ from: movedNoteName, to: `${movedNoteName}.replaced-${time}`, aside: "" });
    if (key !== null) {
      await writeKey(join(scratch, "app.key"), key);
      moves.push({ from: `${scratchName}/app.key`, to: "app.key", aside: `app.key.replaced-${time}` });
    }
    await swapIn(dataDir, moves);
    return { outcome, keptAs };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const scratchName = "restore.part";

/** Opens a database in a folder of its own for the length of `work`. */
export const withScratch = async <T>(
  target: EmbeddedTarget,
  work: (handle: DatabaseHandle) => Promise<T>,
): Promise<T> => {
  const handle = await openDatabase({ databaseUrl: null, isOffline: true, ...target });
  try {
    return await work(handle);
  } catch (error) {
    throw await orDiskFull(error, target.dataDir);
  } finally {
    await handle.close();
  }
};
