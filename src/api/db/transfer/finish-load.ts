import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { Load } from "./begin-load.ts";
import { TransferError } from "./errors.ts";
import type { TransferDatabase } from "./parts.ts";
import { restoreIndexes } from "./secondary-indexes.ts";
import { holdNote, noteKey, readUnfinishedLoad, removeNote } from "./unfinished-load.ts";
import { withoutTriggers } from "./without-triggers.ts";

/** What arrived of a table. */
export type LoadedTable = { table: string; rows: number };

/** What a finished load brought, in the order in which it came. */
export type LoadReport = { tables: LoadedTable[]; rows: number };

/** What finishing needs to know. */
export type FinishInput = {
  /** How many rows the source had of each table: the sums of what its parts said. Tables without a part had none. */
  expected: Readonly<Record<string, number>>;
  /** Tried last, before the data counts as an installation: what it throws leaves the load unfinished. */
  prove?: () => Promise<void>;
  /** Whether all of it happens in a transaction of the caller's, in which nothing can be vacuumed. */
  isInTransaction?: boolean;
  /** Hears of each step, before it is done. */
  onStep?: (step: string) => void;
};

/**
 * Makes a whole installation of what was loaded: indexes, statistics, a count of every table, and only then the note goes
 * that keeps servers from starting. Throws `TransferError` when rows are missing; it may be called again then.
 */
export const finishLoad = async (
  target: TransferDatabase,
  load: Load,
  { expected, prove = async () => {}, isInTransaction = false, onStep = () => {} }: FinishInput,
): Promise<LoadReport> => {
  const note = await readUnfinishedLoad(target.db);
  if (note?.id !== load.id)
    throw new TransferError("Somebody else has begun to load data into this database; this load has ended");
  const tables = await target.exclusively(async (db) => {
    onStep("counting rows");
    const counted = await countRows(db, load);
    refuseOtherCounts(counted, expected);
    // In a cluster of its own this number means another transaction.
    await db.transaction(async (tx) => forgetTransaction(tx));
    if (target.kind === "postgres") await db.execute(sql`set maintenance_work_mem = '256MB'`);
    await restoreIndexes(db, note.indexes, (name) => onStep(`building the index ${name}`));
    onStep("gathering statistics");
    const gather = sql.raw(isInTransaction ? "analyze" : "vacuum (analyze)");
    for (const { name } of load.tables) await db.execute(sql`${gather} ${sql.identifier(name)}`);
    return counted;
  });
  await prove();
  await target.db.transaction(async (tx) => {
    if (!(await holdNote(tx, load.id)))
      throw new TransferError("Somebody else has begun to load data into this database");
    await removeNote(tx);
  });
  return { tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
};

const countRows = async (db: Database, { tables }: Load): Promise<LoadedTable[]> => {
  const counted: LoadedTable[] = [];
  for (const { name } of tables) {
    const isData = name === "installation" ? sql`key <> ${noteKey}` : sql`true`;
    const [row] = await db.execute<{ rows: number }>(
      sql`select count(*)::float8 as rows from ${sql.identifier(name)} where ${isData}`,
    );
    counted.push({ table: name, rows: row?.rows ?? 0 });
  }
  return counted;
};

const refuseOtherCounts = (counted: LoadedTable[], expected: FinishInput["expected"]): void => {
  const wrong = counted.filter(({ table, rows }) => rows !== (expected[table] ?? 0));
  if (wrong.length === 0) return;
  const words = wrong.map(
    ({ table, rows }) => `${table} has ${rows} rows instead of ${expected[table] ?? 0}`,
  );
  throw new TransferError(`Not everything arrived: ${words.join(", ")}`);
};

/** The log notes which transaction appended last. In another cluster that number is, or will be, another transaction's. */
const forgetTransaction = (tx: Database): Promise<void> =>
  withoutTriggers(tx, { table: "activity_chain", event: "update" }, async () => {
    await tx.execute(sql`update activity_chain set head_xid = null`);
  });
