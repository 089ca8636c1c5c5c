import { sql } from "drizzle-orm";
import { migrate as runMigrator } from "drizzle-orm/postgres-js/migrator";
import type { DatabasePool } from "#api/core/database.ts";
import { sqlStateOf } from "./errors.ts";

/**
 * Applies what is pending, all of it or nothing, while other replicas go on reading and writing. Whoever waits for a table
 * here keeps everybody else off it, and two tables at once can be waited for crosswise: so it waits a moment only, gives
 * everything back and tries again. The moment is shorter than the second after which PostgreSQL looks for such knots, so
 * that it is never somebody else's statement that is ended. Throws when a minute was not enough.
 */
export const runMigrations = async (db: DatabasePool, migrationsFolder: string): Promise<void> => {
  await db.execute(sql`set lock_timeout = '300ms'`);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        return await runMigrator(db, { migrationsFolder });
      } catch (error) {
        if (tries === mostTries || !isHeldUp.has(sqlStateOf(error) ?? "")) throw error;
        await Bun.sleep(pauseMs);
      }
    }
  } finally {
    await db.execute(sql`reset lock_timeout`);
  }
};

/** `lock_not_available` and `deadlock_detected`. Source: PostgreSQL's documentation, appendix A. */
const isHeldUp: ReadonlySet<string> = new Set(["55P03", "40P01"]);
const mostTries = 100;
const pauseMs = 300;
