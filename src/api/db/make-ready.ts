import type { DatabaseHandle } from "./database-handle.ts";
import { migrate } from "./migrate.ts";
import { refusedStart } from "./refused-start.ts";
import { refuseUnfinishedLoad } from "./transfer/unfinished-load.ts";

/**
 * Makes an opened database one that this program works on: its data is whole, its schema the program's. `url` is the server's,
 * `null` for the embedded database. Throws as `migrate` does, `UnusableInstallationError` where the data is not whole, and
 * `DatabaseUnusableError` for a server that lets nobody work on it; the database is closed then.
 */
export const makeReady = async (handle: DatabaseHandle, url: string | null): Promise<DatabaseHandle> => {
  try {
    // First: migrations are for whole data.
    await refuseUnfinishedLoad(handle.db);
    await migrate(handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw refusedStart(error, url) ?? error;
  }
};
