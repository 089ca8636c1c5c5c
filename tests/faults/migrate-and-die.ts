import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { systemClock } from "#api/core/clock.ts";
import type { DatabasePool } from "#api/core/database.ts";
import type { Log } from "#api/core/log.ts";
import { migrate } from "#api/db/migrate.ts";
import type { Program } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";

/** What the process is started with, as JSON. `killAt` counts the statements of a migration; it dies before that one. */
export type MigrateAndDie = {
  databaseUrl: string | null;
  dataDir: string;
  program: Program;
  killAt: number;
};

const silent = (): void => {};
const log: Log = { debug: silent, info: silent, warn: silent, error: silent, flush: silent };

/** Migrates as a start does, and ends as by `kill -9` before a statement; prints how many there were if it got through. */
const migrateAndDie = async ({ databaseUrl, dataDir, program, killAt }: MigrateAndDie): Promise<void> => {
  const handle = await openDatabase({ databaseUrl, dataDir, log, clock: systemClock });
  let statements = 0;
  const logQuery = (): void => {
    statements += 1;
    if (statements === killAt) process.kill(process.pid, "SIGKILL");
  };
  const counted = (db: DatabasePool): DatabasePool =>
    drizzle(clientOf(db), { logger: { logQuery } }) as unknown as DatabasePool;
  await migrate({ ...handle, exclusively: (work) => handle.exclusively((db) => work(counted(db))) }, program);
  await handle.close();
  console.log(statements);
};

/** The driver below Drizzle; its types show it on what `drizzle()` returns alone. */
const clientOf = (db: DatabasePool): Sql => (db as unknown as { $client: Sql }).$client;

await migrateAndDie(JSON.parse(process.argv[2] ?? "") as MigrateAndDie);
