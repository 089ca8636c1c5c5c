import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import type { TransferTable } from "./transfer-tables.ts";

/**
 * Drops the indexes that only make reading fast: to build them over all rows at the end takes a fraction of the time that
 * keeping them up takes. Resolves to the statements that make them again.
 */
export const dropSecondaryIndexes = async (
  tx: Database,
  tables: readonly TransferTable[],
): Promise<string[]> => {
  const rows = await tx.execute<{ table: string; name: string; statement: string }>(sql`
    select t.relname as "table", format('%I.%I', 'public', c.relname) as name, pg_get_indexdef(i.indexrelid) as statement
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and not i.indisunique and not i.indisprimary
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by c.relname`);
  const ours = rows.filter(({ table }) => tables.some(({ name }) => name === table));
  for (const { name } of ours) await tx.execute(sql`drop index ${sql.raw(name)}`);
  return ours.map(({ statement }) => statement);
};

/** Makes those indexes again that are not there; `onStep` hears the name of each before it is made. */
export const restoreIndexes = async (
  db: Database,
  statements: readonly string[],
  onStep: (name: string) => void = () => {},
): Promise<void> => {
  for (const statement of statements) {
    onStep(/^CREATE INDEX (\S+)/.exec(statement)?.[1] ?? "");
    await db.execute(sql.raw(statement.replace(/^CREATE INDEX /, "CREATE INDEX IF NOT EXISTS ")));
  }
};
