import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { clearTables } from "./clear-tables.ts";
import { TransferError } from "./errors.ts";
import type { TransferDatabase } from "./parts.ts";
import { dropSecondaryIndexes } from "./secondary-indexes.ts";
import { isSeedRow } from "./seed-rows.ts";
import { type TransferTable, transferTables } from "./transfer-tables.ts";
import { readUnfinishedLoad, writeNote } from "./unfinished-load.ts";

/** A load under way. `isBegunAnew`: an earlier one had broken off, and what it had brought was removed. */
export type Load = { id: string; tables: TransferTable[]; isBegunAnew: boolean };

/**
 * Begins a load into a migrated database without data. From then on a note in it keeps every server from starting, until
 * `finishLoad` takes it away; `how` tells the operator what to do when it never comes to that. What a broken-off load left
 * is removed first. `tables` are those of an older version, in whose shape the database is. Throws `TransferError` when there is data, and touches nothing then.
 */
export const beginLoad = async (
  target: TransferDatabase,
  { how, tables: names }: { how: string; tables?: readonly string[] },
): Promise<Load> =>
  target.exclusively((pool) =>
    pool.transaction(async (tx) => {
      const tables = await transferTables(tx, names);
      const broken = await readUnfinishedLoad(tx);
      if (broken === null && !(await isEmptyTarget(tx, tables)))
        throw new TransferError(
          "There is data in the target already; nothing was changed. Give an empty database",
        );
      await clearTables(tx, tables);
      const indexes = [...(broken?.indexes ?? []), ...(await dropSecondaryIndexes(tx, tables))];
      const note = { id: crypto.randomUUID(), startedAt: new Date().toISOString(), how, indexes };
      await writeNote(tx, note);
      return { id: note.id, tables, isBegunAnew: broken !== null };
    }),
  );

/** Whether a migrated database holds nothing but what its migrations put there. */
export const isEmptyTarget = async (tx: Database, tables: readonly TransferTable[]): Promise<boolean> => {
  for (const { name } of tables) {
    const rows = await tx.execute(
      sql`select from ${sql.identifier(name)} where not (${isSeedRow(name)}) limit 1`,
    );
    if (rows.length > 0) return false;
  }
  return true;
};
