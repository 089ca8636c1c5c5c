import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase, PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

/**
 * What queries run on: the pool, or the transaction that the caller is in. Inside a transaction use only that:
 * the embedded database has one session, and a query beside the transaction would wait for it.
 */
export type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** A database with a pool behind it, as opposed to a transaction. */
export type DatabasePool = PostgresJsDatabase;
