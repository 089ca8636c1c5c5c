import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import {
  isCarried,
  list,
  nameInCatalog,
  refuseUnfinishedLoad,
  sequencesPart,
  type TablePart,
  type TransferColumn,
  type TransferDatabase,
  type TransferTable,
  tableNamed,
  transferTables,
} from "./transfer-tables.ts";

/** Limits of a part: about so many bytes (a larger row is a part of its own), and so many rows. */
export type DumpOptions = { partBytes?: number; partRows?: number };

/**
 * All rows of the database but those that a crash would remove (of unlogged tables), table by table in an order in which they can be loaded, a few megabytes at a time. On
 * PostgreSQL they are as of one moment. The embedded database has one session for all, so nothing else may write to it
 * meanwhile. Throws when the data is incomplete.
 */
export const dumpTables = async function* (
  source: TransferDatabase,
  { partBytes = 4 * 1024 * 1024, partRows = 20_000 }: DumpOptions = {},
): AsyncGenerator<TablePart> {
  const view = await openView(source);
  try {
    await view.read((tx) => refuseUnfinishedLoad(tx));
    const tables = await view.read((tx) => transferTables(tx));
    for (const table of tables.filter(({ isLasting }) => isLasting)) {
      let after: string[] | null = null;
      let lookAhead = partRows;
      for (let part = 0; ; part += 1) {
        const piece: Piece | null = await view.read((tx) =>
          readPiece(tx, table, { after, partBytes, partRows: lookAhead }),
        );
        if (piece === null) break;
        yield { table: table.name, part, rows: piece.rows, bytes: piece.bytes };
        after = piece.last;
        // Sizes of neighbors are alike: what will not fit need not be measured.
        lookAhead = Math.min(partRows, Math.ceil(piece.rows * 1.25) + 64);
      }
    }
    yield await view.read((tx) => dumpSequences(tx, tables));
  } finally {
    await view.close();
  }
};

type Bounds = { after: string[] | null; partBytes: number; partRows: number };
type Piece = { rows: number; bytes: Uint8Array; last: string[] };

/** The rows behind a key that fit, under names that no column of an own feature will have; their sizes are known without reading what is stored apart from its row. */
const readPiece = async (tx: Database, table: TransferTable, bounds: Bounds): Promise<Piece | null> => {
  const name = tableNamed(table.name);
  const keys = list(table.key.map((key) => sql.identifier(key)));
  const keyTexts = sql`json_build_array(${list(table.key.map((key) => sql`${sql.identifier(key)}::text`))})`;
  const behind = bounds.after === null ? sql`true` : sql`(${keys}) > (${keyValues(table, bounds.after)})`;
  const [end] = await tx.execute<{ last: string[]; rows: number }>(sql`
    select ${keyTexts} as last, "#at"::int as rows from (
      select ${keys}, row_number() over w as "#at", sum("#size") over w as "#upto"
      from (select ${keys}, ${sizeOf(table)} as "#size" from ${name} where ${behind} order by ${keys} limit ${bounds.partRows}) as head
      window w as (order by ${keys} rows unbounded preceding)) as counted
    where "#at" = 1 or "#upto" <= ${bounds.partBytes} order by "#at" desc limit 1`);
  if (end === undefined) return null;
  const [found] = await tx.execute<{ lines: string }>(sql`
    select string_agg(row_to_json("#line")::text, ${"\n"}::text) as lines from (
      select ${list(table.columns.map(readColumn))} from ${name}
      where ${behind} and (${keys}) <= (${keyValues(table, end.last)}) order by ${keys}) as "#line"`);
  return { rows: end.rows, bytes: new TextEncoder().encode(found?.lines ?? ""), last: end.last };
};

const keyValues = (table: TransferTable, values: string[]): SQL =>
  list(
    table.key.map((key, at) => {
      const type = table.columns.find(({ name }) => name === key)?.type ?? "text";
      return sql`${values[at] ?? ""}::text::${sql.raw(type)}`;
    }),
  );

const readColumn = ({ name, isJson }: TransferColumn): SQL =>
  isJson ? sql`${sql.identifier(name)}::text as ${sql.identifier(name)}` : sql`${sql.identifier(name)}`;

/** About how many bytes a row's line takes. */
const sizeOf = ({ columns }: TransferTable): SQL =>
  sql.join(
    columns.map(({ name, width }) => {
      const column = sql.identifier(name);
      const frame = sql.raw(String(name.length + 6));
      if (width === "fixed") return sql`${frame} + 32`;
      if (width === "bytes") return sql`${frame} + coalesce(2 * octet_length(${column}), 4)`;
      if (width === "text") return sql`${frame} + coalesce(octet_length(${column}), 4)`;
      return sql`${frame} + coalesce(octet_length(${column}::text), 4)`;
    }),
    sql` + `,
  );

/** A look at a database that does not change while it is open. */
type View = {
  read<T>(work: (tx: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * Opens a view. PostgreSQL keeps one moment for it, in a transaction that lasts until it is closed. The embedded database
 * ends idle transactions, and no one else writes to it: there each read is its own.
 */
const openView = ({ db, kind }: TransferDatabase): Promise<View> =>
  kind === "postgres" ? oneMoment(db) : Promise.resolve(eachRead(db));

const eachRead = (db: Database): View => ({
  read: (work) =>
    db.transaction(async (tx) => {
      await exactTexts(tx);
      return work(tx);
    }),
  close: async () => {},
});

const oneMoment = async (db: Database): Promise<View> => {
  const opened = Promise.withResolvers<Database>();
  const closing = Promise.withResolvers<void>();
  const ended = db.transaction(
    async (tx) => {
      await exactTexts(tx);
      // The consumer may need time for each part.
      await tx.execute("set local idle_in_transaction_session_timeout = 0");
      await tx.execute("set local statement_timeout = 0");
      opened.resolve(tx);
      await closing.promise;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  // Before it is open its failure is the opening's; afterwards each read hears of it.
  ended.catch(opened.reject);
  const tx = await opened.promise;
  return {
    read: (work) => work(tx),
    close: async () => {
      closing.resolve();
      await ended.catch(() => {});
    },
  };
};

/** Makes values read out as text in a form that gives back the same value everywhere, however the server is set up. */
const exactTexts = async (tx: Database): Promise<void> => {
  await tx.execute(sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true),
    set_config('intervalstyle', 'postgres', true), set_config('bytea_output', 'hex', true),
    set_config('extra_float_digits', '3', true)`);
};

/** How far the numbering of a column has come: `last` is what it gave out last, as a text, or `null` for nothing yet. */
export type SequenceState = { table: string; column: string; last: string | null };

/** The current value of every sequence of the tables. They are outside of transactions, so never behind the rows. */
const dumpSequences = async (tx: Database, tables: readonly TransferTable[]): Promise<TablePart> => {
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
    select ${nameInCatalog("t", "n")} as name, a.attname as column, format('%I.%I', m.nspname, s.relname) as sequence
    from pg_class s join pg_namespace m on m.oid = s.relnamespace
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid join pg_namespace n on n.oid = t.relnamespace
    join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and ${isCarried("n")} order by 1, 2`);
  return rows.filter(({ name }) => tables.some((table) => table.name === name));
};
