import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { openEmbedded } from "./open-embedded.ts";
import { openPostgres } from "./open-postgres.ts";

export type { DatabaseHandle } from "./database-handle.ts";
export { DataFolderInUseError } from "./embedded/errors.ts";

/** Where the database is. */
export type OpenDatabaseOptions = {
  /** A PostgreSQL server; `null` for the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  log: Log;
  clock: Clock;
};

/**
 * Opens the database. A PostgreSQL server that is away is not noticed until the first query; the embedded database
 * is up when this resolves. Throws `DataFolderInUseError`, or an error that tells the operator what is wrong.
 */
export const openDatabase = async (options: OpenDatabaseOptions): Promise<DatabaseHandle> =>
  options.databaseUrl === null ? openEmbedded(options) : openPostgres(options.databaseUrl);
