import { eq, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { databaseError, sqlStateOf } from "../errors.ts";
import { installation } from "../schema.ts";
import { UnusableInstallationError } from "./errors.ts";

/**
 * The note that lies in a database while data is being loaded into it: `id` names this very attempt, `indexes` are the
 * statements that make again what was dropped for the time, `how` tells the operator how to continue when it broke off.
 */
export type UnfinishedLoad = { id: string; startedAt: string; how: string; indexes: string[] };

/** The key of the note's row, in a table that needs no other. */
export const noteKey = "unfinished_load";

/** The note of a load that was begun and not finished, or `null`. Not for a transaction in a database without tables. */
export const readUnfinishedLoad = async (db: Database): Promise<UnfinishedLoad | null> => {
  try {
    const [row] = await db.select().from(installation).where(eq(installation.key, noteKey));
    return row === undefined ? null : parseNote(row.value);
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return null;
    throw databaseError(error) ?? error;
  }
};

const undefinedTable = "42P01";

/** Throws {@link UnusableInstallationError} when the data in the database is not whole. */
export const refuseUnfinishedLoad = async (db: Database): Promise<void> => {
  const note = await readUnfinishedLoad(db);
  if (note === null) return;
  throw new UnusableInstallationError(
    `The data in this database is incomplete: loading it started at ${note.startedAt} and did not finish. ${note.how}`,
  );
};

/** Writes the note, in the place of any other. */
export const writeNote = async (tx: Database, note: UnfinishedLoad): Promise<void> => {
  const value = JSON.stringify(note);
  await tx
    .insert(installation)
    .values({ key: noteKey, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
};

/** Whether this attempt is still the one that loads; until the transaction ends no other can start. */
export const holdNote = async (tx: Database, id: string): Promise<boolean> => {
  const rows = await tx.execute<{ value: string }>(
    sql`select value from installation where key = ${noteKey} for share`,
  );
  const value = rows[0]?.value;
  return value !== undefined && parseNote(value).id === id;
};

/** Takes the note away: from then on the data counts as an installation. */
export const removeNote = async (tx: Database): Promise<void> => {
  await tx.delete(installation).where(eq(installation.key, noteKey));
};

/** Only this program writes the note, whole, in one statement. */
const parseNote = (value: string): UnfinishedLoad => {
  const note: UnfinishedLoad = JSON.parse(value);
  return note;
};
