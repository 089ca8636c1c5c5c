import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { transferTables } from "./transfer-tables.ts";

/** How much a table holds; `bytes` with what is stored apart, without indexes. */
export type TableSize = { table: string; rows: number; bytes: number };

/** How much every table of the product holds, in the order in which they are moved. */
export const measureTables = async (db: Database): Promise<TableSize[]> => {
  const sizes: TableSize[] = [];
  for (const { name } of await transferTables(db)) {
    const [row] = await db.execute<{ rows: number; bytes: number }>(sql`
      select count(*)::float8 as rows, pg_table_size(${`public.${name}`}::text::regclass)::float8 as bytes
      from ${sql.identifier(name)}`);
    sizes.push({ table: name, rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 });
  }
  return sizes;
};
