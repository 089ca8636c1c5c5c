import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { countUnknownOwn, type Migrating, migrate } from "./migrate.ts";
import { ownSchema, thisProgram } from "./migration-journal.ts";
import { tellOfWait } from "./postgres/await-database.ts";
import { endStart } from "./postgres/refused-start.ts";
import { refuseUnfinishedLoad } from "./transfer/transfer-tables.ts";

/** `url` is the server's, `null` for the embedded database; the rest is for who wants to know how far it is. */
export type ReadyOptions = Pick<Migrating, "beforeChange"> & {
  url: string | null;
  log: Log;
  /** Called, more than once, while another process migrates. */
  onWait?: () => void;
};

/**
 * Makes an opened database one that this program works on: its data is whole, its schema the program's. Throws as `migrate` does,
 * `UnusableInstallationError` where the data is not whole, and `DatabaseUnusableError` for a server that lets no one work on it
 * and for an embedded database that ended; the database is closed then.
 */
export const makeReady = async (
  handle: DatabaseHandle,
  { url, log, ...options }: ReadyOptions,
): Promise<DatabaseHandle> => {
  const tell = tellOfWait(log);
  const onWait = (waitedMs: number): void => {
    options.onWait?.();
    tell(waitedMs);
  };
  try {
    // First: migrations are for whole data.
    await refuseUnfinishedLoad(handle.db);
    await migrate(handle, { ...thisProgram, ...options, onWait });
    const migrations = await countUnknownOwn(handle.db);
    if (migrations > 0)
      log.warn("The database has tables of own features that this program lacks; they stay as they are", {
        migrations,
        schema: ownSchema,
      });
    return handle;
  } catch (error) {
    return endStart(error, { url, close: handle.close });
  }
};
