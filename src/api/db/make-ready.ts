import type { DatabaseHandle } from "./database-handle.ts";
import { migrate } from "./migrate.ts";
import { refuseUnfinishedLoad } from "./transfer/unfinished-load.ts";

/**
 * Makes an opened database one that this program works on: its data is whole, its schema the program's. Throws as `migrate`
 * does, and `UnusableInstallationError` where the data is not whole; the database is closed then.
 */
export const makeReady = async (handle: DatabaseHandle): Promise<DatabaseHandle> => {
  try {
    // First: migrations are for whole data.
    await refuseUnfinishedLoad(handle.db);
    await migrate(handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
};
