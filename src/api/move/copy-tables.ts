import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import { type Load, loadPart } from "#api/db/transfer/load-tables.ts";
import type { TablePart, TransferDatabase } from "#api/db/transfer/transfer-tables.ts";

/** From where to where, and who hears of it. */
export type CopyInput = {
  source: TransferDatabase;
  target: TransferDatabase;
  load: Load;
  /** Hears of each part once it has arrived. */
  onPart: (part: TablePart) => void;
  /** Once aborted no further part is read; the copy rejects with the signal's reason. */
  ended: AbortSignal;
};

/**
 * Copies every table, the next part being read while the one before is written. Resolves to how many rows each table had
 * at the source.
 */
export const copyTables = async ({
  source,
  target,
  load,
  onPart,
  ended,
}: CopyInput): Promise<Record<string, number>> => {
  const rows: Record<string, number> = {};
  let arriving: Promise<void> = Promise.resolve();
  try {
    for await (const part of dumpTables(source)) {
      await arriving;
      ended.throwIfAborted();
      rows[part.table] = (rows[part.table] ?? 0) + part.rows;
      arriving = loadPart(target, load, part).then(() => onPart(part));
      // It is awaited before the next one; a failure until then is heard of there.
      arriving.catch(() => {});
    }
  } finally {
    // Whoever cleans up must not meet a part that is still under way.
    await arriving.catch(() => {});
  }
  await arriving;
  ended.throwIfAborted();
  return rows;
};
