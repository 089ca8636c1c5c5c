import { createLogger } from "#api/adapters/logger/logger.ts";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Context } from "#api/core/context.ts";
import { makeReady } from "#api/db/make-ready.ts";
import { type DatabaseHandle, openDatabase } from "#api/db/open-database.ts";
import { createRuntime, type Runtime } from "#api/services.ts";
import { moveToMeasuredCore } from "../measure/cores.ts";
import { processTree } from "../measure/processes.ts";
import type { Installation } from "../subjects/atrium.ts";

/** The product's own services in this process, on one installation's database. */
export type MeasuredLog = {
  ctx: Context;
  handle: DatabaseHandle;
  writer: Runtime["activityWriter"];
  /** The processes of the database. */
  databasePids(): number[];
  close(): Promise<void>;
};

/** Opens an installation's database as a server would, without listening, and keeps it to the measured core. */
export const openMeasuredLog = async ({ env, postgres }: Installation): Promise<MeasuredLog> => {
  const config = readConfig({ ...env, HOST: "127.0.0.1", PORT: "0" }, false);
  const log = createLogger({ level: "error", format: "json" });
  const older = new Set(processTree(process.pid));
  const opening = openDatabase({ ...config, log, clock: systemClock }).then((handle) =>
    makeReady(handle, { url: config.databaseUrl, log }),
  );
  const runtime = await createRuntime(config, log, opening, {
    isSafeMode: true,
    bundled: [],
    isServer: false,
  });
  // The embedded database is a child of this process.
  const embedded = processTree(process.pid).filter((pid) => !older.has(pid));
  if (postgres === null) moveToMeasuredCore(embedded);
  const services = runtime.services("http://localhost");
  return {
    ctx: { ...services, actor: { kind: "operator" }, requestId: "bench", ip: "local", userAgent: null },
    handle: runtime.database,
    writer: runtime.activityWriter,
    databasePids: postgres?.pids ?? (() => embedded),
    close: runtime.stop,
  };
};
