import type { Load } from "./begin-load.ts";
import { clearTables } from "./clear-tables.ts";
import type { TransferDatabase } from "./parts.ts";
import { restoreIndexes } from "./secondary-indexes.ts";
import { insertSeedRows } from "./seed-rows.ts";
import { readUnfinishedLoad, removeNote } from "./unfinished-load.ts";

/**
 * Gives a load up: the target is afterwards as it was before, migrated and without data. Resolves to `false`, and does
 * nothing, when another load was begun meanwhile or this one is finished.
 */
export const abandonLoad = (target: TransferDatabase, load: Load): Promise<boolean> =>
  target.exclusively((pool) =>
    pool.transaction(async (tx) => {
      const note = await readUnfinishedLoad(tx);
      if (note?.id !== load.id) return false;
      await clearTables(tx, load.tables);
      await restoreIndexes(tx, note.indexes);
      await insertSeedRows(tx);
      await removeNote(tx);
      return true;
    }),
  );
