import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";

/**
 * Locks a name until the transaction ends: of those that lock the same one, each comes after the other. Any database
 * user can take such a lock and keep it, so it is waited for `withinS` whole seconds at most, 3 unless given, and so is
 * every other lock of the transaction from then on. Then the query fails with what callers hear as a 503 `BUSY`.
 */
export const lockName = async (tx: Database, name: string, withinS = 3): Promise<void> => {
  await tx.execute(sql`select set_config('lock_timeout', ${`${withinS}s`}, true)`);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
};
