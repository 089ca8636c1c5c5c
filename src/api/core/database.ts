import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

/**
 * What queries run on: the pool, or the transaction that the caller is in. Inside a transaction use only that:
 * the embedded database has one session, and a query beside the transaction would wait for it.
 */
export type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** A database with a pool behind it, as opposed to a transaction. */
export type DatabasePool = PostgresJsDatabase;

/** How many rows are read at a time: some hundred kilobytes at most, whatever users wrote. */
export const rowsAtATime = 100;

/** The rows of a list in the order of their ids, {@link rowsAtATime} at a time: `read` resolves to those behind an id. */
export async function* rowPages<Row extends { id: string }>(
  read: (behind: string | null) => PromiseLike<Row[]>,
): AsyncGenerator<Row[], void, undefined> {
  let last: Row | undefined;
  do {
    const rows: Row[] = await read(last?.id ?? null);
    yield rows;
    last = rows.length < rowsAtATime ? undefined : rows.at(-1);
  } while (last);
}
