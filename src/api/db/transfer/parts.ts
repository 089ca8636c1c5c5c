import type { DatabaseHandle } from "../database-handle.ts";

/** A database that data is taken from or brought to. */
export type TransferDatabase = Pick<DatabaseHandle, "db" | "kind" | "exclusively">;

/**
 * Some rows of a table: `bytes` are lines of JSON in UTF-8, an object with every stored column for each row, without a
 * line break at the end. `part` counts from 0 within the table. A part named {@link sequencesPart} holds no rows of a table
 * but how far each sequence has come.
 */
export type TablePart = { table: string; part: number; rows: number; bytes: Uint8Array };

/** The name of the last part, which no table can have. */
export const sequencesPart = "#sequences";
