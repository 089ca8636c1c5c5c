import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { versionStampKey } from "../version-stamp.ts";

/** What is true of a table's rows in a database that was migrated and never used; nothing is of any other row. */
export const isSeedRow = (table: string): SQL => {
  if (table === "activity_chain") return sql`id = 1 and head_id = 0 and anchor_id = 0 and seal is null`;
  // Which program migrated it.
  return table === "installation" ? sql`key = ${versionStampKey}` : sql`false`;
};

/** Puts back what the migrations put there, into empty tables. */
export const insertSeedRows = async (tx: Database): Promise<void> => {
  await tx.execute(sql`
    insert into activity_chain (id, head_id, head_hash, head_at, anchor_id, anchor_hash)
    values (1, 0, decode(repeat('00', 32), 'hex'), to_timestamp(0), 0, decode(repeat('00', 32), 'hex'))`);
};
