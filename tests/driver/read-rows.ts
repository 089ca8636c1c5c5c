import { systemClock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { openDatabase } from "#api/db/open-database.ts";

const silent = () => {};
const log: Log = { debug: silent, info: silent, warn: silent, error: silent, flush: silent };

/** Reads the data of a server that has stopped, as the next one would find it. */
export const readRows = async <T>(
  place: { dataDir: string; env: Record<string, string> },
  read: (db: Database) => Promise<T>,
): Promise<T> => {
  const databaseUrl = place.env.DATABASE_URL ?? null;
  const handle = await openDatabase({ databaseUrl, dataDir: place.dataDir, log, clock: systemClock });
  try {
    return await read(handle.db);
  } finally {
    await handle.close();
  }
};
