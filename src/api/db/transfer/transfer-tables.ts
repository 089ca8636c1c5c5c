import { getTableName, is, type SQL, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#api/core/database.ts";
import type { DatabaseHandle } from "../database-handle.ts";
import * as schema from "../schema.ts";
import { TransferError } from "./errors.ts";

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

/** A column that is stored, as opposed to computed. `isJson` ones travel as text: JSON's own null is no absent value. */
export type TransferColumn = {
  name: string;
  type: string;
  width: "fixed" | "text" | "bytes" | "other";
  isJson: boolean;
};

/** A table of the product, as the database describes it; `key` are the names of its primary key's columns. */
export type TransferTable = { name: string; columns: TransferColumn[]; key: string[]; refersTo: string[] };

/** The names of all tables that the program knows. */
export const productTables: readonly string[] = Object.values(schema)
  .flatMap((value: unknown) => (is(value, PgTable) ? [getTableName(value)] : []))
  .sort();

/**
 * Every table of the product, found in the database's catalog, each behind those that it refers to. What others keep in
 * the same schema is left out; `names` are those of another version. Throws when one is missing, has no primary key, or when they refer to each other in a ring.
 */
export const transferTables = async (
  db: Database,
  names: readonly string[] = productTables,
): Promise<TransferTable[]> => {
  const rows = await db.execute<{ tables: TransferTable[] | null }>(sql`
    select json_agg(json_build_object(
      'name', c.relname,
      'columns', (
        select json_agg(json_build_object(
          'name', a.attname,
          'type', format_type(a.atttypid, a.atttypmod),
          'width', case when t.typlen > 0 then 'fixed' when t.typname in ('text', 'varchar', 'bpchar') then 'text'
            when t.typname = 'bytea' then 'bytes' else 'other' end,
          'isJson', t.typname in ('json', 'jsonb')) order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''),
      'key', coalesce((
        select json_agg(a.attname order by k.at)
        from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (number, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary), '[]'),
      'refersTo', coalesce((
        select json_agg(distinct o.relname)
        from pg_constraint f join pg_class o on o.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '[]')) order by c.relname) as tables
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  const found = (rows[0]?.tables ?? []).filter(({ name }) => names.includes(name));
  const missing = names.filter((name) => !found.some((table) => table.name === name));
  if (missing.length > 0)
    throw new TransferError(
      `The database lacks the tables ${missing.join(", ")}: run \`atrium migrate\` first`,
    );
  const keyless = found.find(({ key }) => key.length === 0);
  if (keyless) throw new TransferError(`The table ${keyless.name} has no primary key`);
  return inOrder(found);
};

const inOrder = (tables: readonly TransferTable[]): TransferTable[] => {
  const done: TransferTable[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const isFree = ({ refersTo }: TransferTable) =>
      refersTo.every((other) => !rest.some(({ name }) => name === other));
    const free = rest.filter(isFree);
    if (free.length === 0)
      throw new TransferError(`The tables ${rest.map(({ name }) => name).join(", ")} refer to each other`);
    done.push(...free);
    rest = rest.filter((table) => !free.includes(table));
  }
  return done;
};

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

/** A comma-separated list in a statement. */
export const list = (parts: SQL[] | ReturnType<typeof sql.identifier>[]): SQL =>
  sql.join([...parts], sql`, `);
