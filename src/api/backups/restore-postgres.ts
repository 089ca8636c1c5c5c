import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import { UnfitDatabaseError } from "#api/db/embedded/errors.ts";
import { databaseError } from "#api/db/errors.ts";
import { refuseNewer } from "#api/db/migrate.ts";
import { hasInstallation } from "#api/db/rebuild-schema.ts";
import { refusedStart } from "#api/db/refused-start.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";

/**
 * Has `work` fill the database of a PostgreSQL server in one transaction: what ends it leaves everything as it was. Throws
 * `CONFLICT` while servers of Atrium are connected.
 */
export const restorePostgres = async <T>(
  url: string,
  work: (target: TransferDatabase) => Promise<T>,
): Promise<T> => {
  const client = connect(url);
  try {
    const db = drizzle(client);
    return await db.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.execute(sql`set local statement_timeout = 0`);
      await refuseServers(tx);
      const pool = asPool(tx);
      return work({ db: tx, kind: "postgres", exclusively: (inner) => inner(pool) });
    });
  } finally {
    await client.end({ timeout: 2 });
  }
};

/**
 * Throws `CONFLICT` while servers of Atrium are connected to this database, an `UnfitDatabaseError` where a newer version has
 * changed it, of whose tables this one could not clear it, and what says that it cannot be used.
 */
export const refuseUnfitPostgres = async (url: string): Promise<void> => {
  try {
    await examine(url);
  } catch (error) {
    throw databaseError(error) ?? refusedStart(error, url) ?? error;
  }
};

/**
 * Why {@link refuseUnfitPostgres} would throw, `null` when it would not; and whether an installation lies there, which a
 * restore replaces, `null` where that cannot be seen.
 */
export const lookAtPostgres = async (
  url: string,
): Promise<{ complaint: string | null; isReplacing: boolean | null }> => {
  try {
    return { complaint: null, isReplacing: await examine(url) };
  } catch (error) {
    const isRefused = error instanceof AppError || error instanceof UnfitDatabaseError;
    const complaint = isRefused ? error.message : `DATABASE_URL cannot be used: ${reasonOf(error)}`;
    return { complaint, isReplacing: null };
  }
};

/** Whether there is an installation. Throws what stands against a restore. */
const examine = async (url: string): Promise<boolean> => {
  const client = connect(url);
  try {
    const db = drizzle(client);
    await refuseServers(db);
    await refuseNewer({ db, snapshots: null });
    return await hasInstallation(db);
  } finally {
    await client.end({ timeout: 2 });
  }
};

/** A failed query's own message is the query; what ended it is behind. */
const reasonOf = (error: unknown): string => {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
};

const connect = (url: string) =>
  postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: "atrium restore", jit: "off" },
  });

/** Other machines' servers hold no lock here; each has connections under the product's name. */
const refuseServers = async (db: Database): Promise<void> => {
  const [others] = await db.execute<{ connections: number }>(sql`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`);
  const connections = others?.connections ?? 0;
  if (connections === 0) return;
  throw new AppError(
    "CONFLICT",
    `Servers of Atrium are connected to this database (${connections} connections); stop all of them first`,
  );
};

/**
 * A transaction where a pool is asked for: transactions within it become savepoints, and that is all that is done with it
 * here. The driver's types tell the two apart, their methods do not.
 */
const asPool = (tx: Database): DatabasePool => tx as DatabasePool;
