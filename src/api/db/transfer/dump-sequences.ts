import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { sequencesPart, type TablePart } from "./parts.ts";
import type { TransferTable } from "./transfer-tables.ts";

/** How far the numbering of a column has come: `last` is what it gave out last, as a text, or `null` for nothing yet. */
export type SequenceState = { table: string; column: string; last: string | null };

/** How far every sequence of the tables has come. They stand outside of transactions, and so never behind the rows. */
export const dumpSequences = async (tx: Database, tables: readonly TransferTable[]): Promise<TablePart> => {
  const states: SequenceState[] = [];
  for (const { name, column, sequence } of await ownedSequences(tx, tables)) {
    const rows = await tx.execute<{ last: string | null }>(
      sql`select case when is_called then last_value::text end as last from ${sql.raw(sequence)}`,
    );
    states.push({ table: name, column, last: rows[0]?.last ?? null });
  }
  const lines = states.map((state) => JSON.stringify(state)).join("\n");
  return { table: sequencesPart, part: 0, rows: states.length, bytes: new TextEncoder().encode(lines) };
};

/** The sequences of columns; `sequence` is quoted for use in a statement. */
export const ownedSequences = async (
  tx: Database,
  tables: readonly TransferTable[],
): Promise<{ name: string; column: string; sequence: string }[]> => {
  const rows = await tx.execute<{ name: string; column: string; sequence: string }>(sql`
    select t.relname as name, a.attname as column, format('%I.%I', n.nspname, s.relname) as sequence
    from pg_class s join pg_namespace n on n.oid = s.relnamespace
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and t.relnamespace = 'public'::regnamespace order by 1, 2`);
  return rows.filter(({ name }) => tables.some((table) => table.name === name));
};
