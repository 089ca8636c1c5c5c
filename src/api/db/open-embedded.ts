import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { DatabasePool } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { startEmbeddedServer } from "./embedded/supervisor.ts";
import { checkPool, describePool, poolOptions } from "./postgres/open-postgres.ts";
import { createQueryCounter } from "./postgres/query-counter.ts";
import { createSockets } from "./postgres/sockets.ts";
import { createSnapshots, startSnapshotSchedule } from "./snapshots/create-snapshots.ts";

/** Opens the embedded database in `dataDir`. Throws as `openDatabase` does. */
export const openEmbedded = async (options: {
  dataDir: string;
  log: Log;
  clock: Clock;
  isOffline?: boolean;
}): Promise<DatabaseHandle> => {
  const { dataDir, log, isOffline = false } = options;
  const server = await startEmbeddedServer(dataDir, log, { isOffline });
  const sockets = createSockets(() => server.pid === null);
  const { stats, include } = createQueryCounter();
  const sql = include(
    postgres({
      ...poolOptions(sockets),
      path: server.socketPath,
      user: "postgres",
      database: "postgres",
      // All of them share one session: more would only queue.
      max: mostConnections,
      max_lifetime: null,
    }),
  );
  const db = drizzle(sql);

  // Advisory locks belong to the session, which all share: they would exclude no one.
  let last: Promise<unknown> = Promise.resolve();
  const exclusively: DatabaseHandle["exclusively"] = (work) => {
    const run = last.then(() => server.patiently(() => work(db)));
    last = run.catch(() => {});
    return run;
  };

  const maintenance = startMaintenance({ ...options, exclusively });
  const snapshots = createSnapshots({
    ...options,
    cluster: { folder: join(options.dataDir, "database"), db, patiently: server.patiently },
  });
  const schedule = startSnapshotSchedule({ ...options, snapshots });
  return {
    db,
    // All connections share one session anyway.
    lookups: db,
    kind: "embedded",
    check: () => checkPool(sql),
    describe: () => describePool(sql),
    writeObstacle: server.obstacle,
    listen: async () => {
      throw new AppError("INTERNAL", undefined, { cause: "the embedded database has no other replicas" });
    },
    notify: async (channel, payload) => void (await sql.notify(channel, payload)),
    exclusively,
    snapshots,
    queries: stats,
    connections: () => ({ open: sockets.count, most: mostConnections }),
    child: () => ({ pid: server.pid, restarts: server.restarts }),
    close: async () => {
      maintenance.stop();
      schedule.stop();
      await snapshots.stop();
      await sql.end({ timeout: 2 });
      await server.stop();
    },
  };
};

const mostConnections = 4;

/**
 * Vacuums and analyses the embedded database once a day, which nothing else does: a server has background processes
 * for it. Table by table, so that requests come in between.
 */
const startMaintenance = (options: {
  exclusively: DatabaseHandle["exclusively"];
  clock: Clock;
  log: Log;
}): { stop(): void } => {
  const run = async (): Promise<void> => {
    try {
      await options.exclusively((db) => vacuumStaleTables(db, options.clock.now()));
    } catch (error) {
      options.log.warn("the database could not be vacuumed", { error: describeError(error) });
    }
  };
  const timer = setInterval(() => void run(), lookEveryMs);
  return { stop: () => clearInterval(timer) };
};

/** Vacuums the tables whose last time is a day or more before `now`; resolves to how many there were. */
export const vacuumStaleTables = async (db: DatabasePool, now: Date): Promise<number> => {
  const dayAgo = new Date(now.getTime() - dayMs);
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where coalesce(last_vacuum, '-infinity') <= ${dayAgo.toISOString()}::timestamptz`);
  for (const { name } of tables) await db.execute(sql.raw(`vacuum (analyze) ${name}`));
  return tables.length;
};

const dayMs = 24 * 60 * 60 * 1000;
const lookEveryMs = 60 * 60 * 1000;
