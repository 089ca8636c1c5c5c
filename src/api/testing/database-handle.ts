import { systemClock } from "#api/core/clock.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "./data-folder.ts";
import { databasePid } from "./database-pid.ts";
import { startTestDatabaseServer } from "./database-server.ts";
import { createRecordingLog, type RecordingLog } from "./recording-log.ts";

/** An open database of the test's own, as the product opens it. */
export type TestDatabaseHandle = {
  handle: DatabaseHandle;
  log: RecordingLog;
  /** Breaks every connection to it, and lets new ones through. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
};

/** Opens an empty database on the server of `TEST_DATABASE_URL`, or an embedded one in a new folder. */
export const openTestHandle = async (): Promise<TestDatabaseHandle> =>
  process.env.TEST_DATABASE_URL ? openOnServer() : openEmbedded();

const openOnServer = async (): Promise<TestDatabaseHandle> => {
  const server = await startTestDatabaseServer();
  const log = createRecordingLog();
  const handle = await openDatabase({
    databaseUrl: server.url,
    dataDir: "/nowhere",
    log,
    clock: systemClock,
  });
  return {
    handle,
    log,
    interrupt: async () => {
      server.cut();
      await server.mend();
    },
    close: async () => {
      await handle.close();
      await server.close();
    },
  };
};

const openEmbedded = async (): Promise<TestDatabaseHandle> => {
  const folder = makeDataFolder();
  const log = createRecordingLog();
  const handle = await openDatabase({ databaseUrl: null, dataDir: folder.path, log, clock: systemClock });
  return {
    handle,
    log,
    interrupt: async () => {
      process.kill(databasePid(folder.path), "SIGKILL");
    },
    close: async () => {
      await handle.close();
      folder.remove();
    },
  };
};
