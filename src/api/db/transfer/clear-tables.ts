import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { TransferTable } from "./transfer-tables.ts";
import { withoutTriggers } from "./without-triggers.ts";

/** Empties the tables, all at once, because some refer to others; sequences begin anew. Not for an installation. */
export const clearTables = async (tx: Database, tables: readonly TransferTable[]): Promise<void> => {
  const names = sql.join(
    tables.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  let work = async (): Promise<void> => void (await tx.execute(sql`truncate ${names} restart identity`));
  for (const { name } of tables) {
    const inner = work;
    work = () => withoutTriggers(tx, { table: name, event: "truncate" }, inner);
  }
  await work();
};
