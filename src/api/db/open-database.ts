import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { refuseOthersFolder } from "./data-folder.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { refuseMoved } from "./transfer/moved-note.ts";

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
  /** Whether no request waits for the embedded database, as while it is loaded or dumped: statements may take hours. */
  isOffline?: boolean;
};

/**
 * Opens the database. A PostgreSQL server that is away is not noticed until the first query; the embedded database
 * is up when this resolves. Throws `DataFolderInUseError`, `UnusableInstallationError` when it was moved to a server, or an error that tells the operator what is wrong.
 */
export const openDatabase = async (options: OpenDatabaseOptions): Promise<DatabaseHandle> => {
  // Only the one that is wanted is loaded.
  if (options.databaseUrl !== null) {
    const { openPostgres } = await import("./postgres/open-postgres.ts");
    return openPostgres(options.databaseUrl);
  }
  refuseOthersFolder(options.dataDir);
  refuseMoved(options.dataDir);
  const { openEmbedded } = await import("./open-embedded.ts");
  return openEmbedded(options);
};

/**
 * A database that is being opened and made ready: `away` resolves when it has to be waited for, because a
 * server is away or another process migrates it, else never.
 */
export type DatabaseOpening = { handle: Promise<DatabaseHandle>; away: Promise<void> };
