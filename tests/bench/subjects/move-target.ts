import { createLogger } from "#api/adapters/logger/logger.ts";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import type { MeasuredPostgres } from "./measured-postgres.ts";

/** A new, migrated database of the server, as a move finds it. */
export const createMoveTarget = async (postgres: MeasuredPostgres): Promise<DatabaseHandle> => {
  const log = createLogger({ level: "error", format: "json" });
  const databaseUrl = await postgres.createDatabase();
  const handle = await openDatabase({ databaseUrl, dataDir: "/nowhere", log, clock: systemClock });
  await migrate(handle);
  return handle;
};
