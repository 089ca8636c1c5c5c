import { eq, getTableName, is, type SQL, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "#api/core/database.ts";
import type { DatabaseHandle } from "../database-handle.ts";
import { databaseError, sqlStateOf } from "../errors.ts";
import { ownSchema } from "../migration-journal.ts";
import * as schema from "../schema.ts";
import { installation } from "../schema.ts";
import { TransferError, UnusableInstallationError } from "./moved-note.ts";

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

/**
 * A table of the product or of an own feature, as the database describes it; `key` are the names of its primary key's columns.
 * The name of an own feature's has the schema before it: `app.notes`.
 */
export type TransferTable = {
  name: string;
  columns: TransferColumn[];
  key: string[];
  refersTo: string[];
  /** Whether its rows outlive a crash of the database: those of unlogged tables stay where they are. */
  isLasting: boolean;
};

/** The names of the product's tables. */
export const productTables: readonly string[] = Object.values(schema)
  .flatMap((value: unknown) => (is(value, PgTable) ? [getTableName(value)] : []))
  .sort();

/** Whether it is a table of an own feature: every table in their schema is, whether or not this program has the feature. */
export const isOwnTable = (name: string): boolean => name.startsWith(`${ownSchema}.`);

/** The name of a table as {@link TransferTable} has it, for a statement. */
export const tableNamed = (name: string): SQL =>
  sql.join(
    name.split(".").map((part) => sql.identifier(part)),
    sql`.`,
  );

/** The table's `regclass`, for functions and columns of the catalog. */
export const idOf = (name: string): SQL =>
  sql`${(isOwnTable(name) ? name : `public.${name}`).replace(/\w+/g, '"$&"')}::text::regclass`;

/** In a query of the catalog, the name as {@link TransferTable} has it, by the aliases of `pg_class` and `pg_namespace`. */
export const nameInCatalog = (table: string, schema: string): SQL =>
  sql.raw(`concat(nullif(${schema}.nspname, 'public') || '.', ${table}.relname)`);

/** In a query of the catalog, whether a `pg_namespace` is one that is carried from place to place. */
export const isCarried = (schema: string): SQL => sql.raw(`${schema}.nspname in ('public', '${ownSchema}')`);

/**
 * Every table of the product and of own features, found in the database's catalog, each behind those that it refers to. What
 * others keep in the product's schema is left out; `names` are those of another version. Throws when one is missing, has no primary key, or when they refer to each other in a ring.
 */
export const transferTables = async (db: Database, names?: readonly string[]): Promise<TransferTable[]> => {
  const rows = await db.execute<{ tables: TransferTable[] | null }>(sql`
    select json_agg(json_build_object(
      'name', ${nameInCatalog("c", "n")},
      'isLasting', c.relpersistence <> 'u',
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
        select json_agg(distinct ${nameInCatalog("o", "s")})
        from pg_constraint f join pg_class o on o.oid = f.confrelid join pg_namespace s on s.oid = o.relnamespace
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid), '[]')) order by c.relname) as tables
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${isCarried("n")} and c.relkind in ('r', 'p') and not c.relispartition`);
  const isWanted = (name: string) =>
    names === undefined ? isOwnTable(name) || productTables.includes(name) : names.includes(name);
  const found = (rows[0]?.tables ?? []).filter(({ name }) => isWanted(name));
  const missing = (names ?? productTables).filter((name) => !found.some((table) => table.name === name));
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

/** How much every table holds, in the order in which they are moved. */
export const measureTables = async (db: Database): Promise<TableSize[]> => {
  const sizes: TableSize[] = [];
  for (const { name } of await transferTables(db)) {
    const [row] = await db.execute<{ rows: number; bytes: number }>(sql`
      select count(*)::float8 as rows, pg_table_size(${idOf(name)})::float8 as bytes from ${tableNamed(name)}`);
    sizes.push({ table: name, rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 });
  }
  return sizes;
};

/** A comma-separated list in a statement. */
export const list = (parts: SQL[] | ReturnType<typeof sql.identifier>[]): SQL =>
  sql.join([...parts], sql`, `);

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
