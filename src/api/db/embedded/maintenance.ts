import { sql } from "drizzle-orm";
import type { Clock } from "#api/core/clock.ts";
import type { DatabasePool } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "../database-handle.ts";

/**
 * Vacuums and analyses the embedded database once a day, which nothing else does: a server has background processes
 * for it. Table by table, so that requests come in between.
 */
export const startMaintenance = (options: {
  exclusively: DatabaseHandle["exclusively"];
  clock: Clock;
  log: Log;
}): { stop(): void } => {
  const run = async (): Promise<void> => {
    try {
      await options.exclusively((db) => vacuumStaleTables(db, options.clock.now()));
    } catch (error) {
      options.log.warn("the database could not be vacuumed", { error: describeError(error) });
    }
  };
  const timer = setInterval(() => void run(), lookEveryMs);
  return { stop: () => clearInterval(timer) };
};

/** Vacuums the tables whose last time is a day or more before `now`; resolves to how many there were. */
export const vacuumStaleTables = async (db: DatabasePool, now: Date): Promise<number> => {
  const dayAgo = new Date(now.getTime() - dayMs);
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where coalesce(last_vacuum, '-infinity') <= ${dayAgo.toISOString()}::timestamptz`);
  for (const { name } of tables) await db.execute(sql.raw(`vacuum (analyze) ${name}`));
  return tables.length;
};

const dayMs = 24 * 60 * 60 * 1000;
const lookEveryMs = 60 * 60 * 1000;
