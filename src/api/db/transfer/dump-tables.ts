import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { dumpSequences } from "./dump-sequences.ts";
import { openView } from "./open-view.ts";
import type { TablePart, TransferDatabase } from "./parts.ts";
import { type TransferColumn, type TransferTable, transferTables } from "./transfer-tables.ts";
import { refuseUnfinishedLoad } from "./unfinished-load.ts";

/** Bounds of a part: about so many bytes (a row that is larger is a part by itself), and so many rows. */
export type DumpOptions = { partBytes?: number; partRows?: number };

/**
 * Everything that the database holds, table by table in an order in which it can be loaded, a few megabytes at a time.
 * On PostgreSQL all of it is as it was at one moment. The embedded database has one session for everybody: nobody else may
 * write to it meanwhile. Throws when the data is not whole itself.
 */
export const dumpTables = async function* (
  source: TransferDatabase,
  { partBytes = 4 * 1024 * 1024, partRows = 20_000 }: DumpOptions = {},
): AsyncGenerator<TablePart> {
  const view = await openView(source);
  try {
    await view.read((tx) => refuseUnfinishedLoad(tx));
    const tables = await view.read(transferTables);
    for (const table of tables) {
      let after: string[] | null = null;
      let lookAhead = partRows;
      for (let part = 0; ; part += 1) {
        const piece: Piece | null = await view.read((tx) =>
          readPiece(tx, table, { after, partBytes, partRows: lookAhead }),
        );
        if (piece === null) break;
        yield { table: table.name, part, rows: piece.rows, bytes: piece.bytes };
        after = piece.last;
        // Sizes of neighbours are alike: what will not fit need not be measured.
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

/** The rows behind a key that fit; their sizes are known without reading what is stored apart from its row. */
const readPiece = async (tx: Database, table: TransferTable, bounds: Bounds): Promise<Piece | null> => {
  const name = sql.identifier(table.name);
  const keys = list(table.key.map((key) => sql.identifier(key)));
  const keyTexts = sql`json_build_array(${list(table.key.map((key) => sql`${sql.identifier(key)}::text`))})`;
  const behind = bounds.after === null ? sql`true` : sql`(${keys}) > (${keyValues(table, bounds.after)})`;
  const [end] = await tx.execute<{ last: string[]; rows: number }>(sql`
    select ${keyTexts} as last, number::int as rows from (
      select ${keys}, row_number() over w as number, sum(size) over w as upto
      from (select ${keys}, ${sizeOf(table)} as size from ${name} where ${behind} order by ${keys} limit ${bounds.partRows}) as head
      window w as (order by ${keys} rows unbounded preceding)) as counted
    where number = 1 or upto <= ${bounds.partBytes} order by number desc limit 1`);
  if (end === undefined) return null;
  const [found] = await tx.execute<{ lines: string }>(sql`
    select string_agg(row_to_json(line)::text, ${"\n"}::text) as lines from (
      select ${list(table.columns.map(readColumn))} from ${name}
      where ${behind} and (${keys}) <= (${keyValues(table, end.last)}) order by ${keys}) as line`);
  return { rows: end.rows, bytes: new TextEncoder().encode(found?.lines ?? ""), last: end.last };
};

const list = (parts: SQL[] | ReturnType<typeof sql.identifier>[]): SQL => sql.join([...parts], sql`, `);

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
