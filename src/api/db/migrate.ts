import { sql } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { databaseError } from "./errors.ts";
import {
  type AppliedMigration,
  countStrangers,
  findPending,
  type Program,
  readApplied,
  readJournal,
  thisProgram,
} from "./migration-journal.ts";
import { refusedDowngrade } from "./refused-downgrade.ts";
import { runMigrations } from "./run-migrations.ts";
import { stampVersion } from "./version-stamp.ts";

/** One migration; `appliedAt` is an ISO instant, or `null` while it is pending. */
export type MigrationStatus = { name: string; appliedAt: string | null };

/** A program that migrates, and what it asks for on the way. */
export type Migrating = Program & {
  /** Called about once a second while another process migrates the same database. */
  onWait?: (waitedMs: number) => void;
  /** Called when it is this process's turn, before it changes anything; what it throws ends the migration. */
  beforeChange?: (db: Database) => Promise<void>;
};

/**
 * Brings the database to the program's schema, one process at a time, and notes the program's version in it. An
 * embedded database that holds somebody's data is copied first. Throws `UnfitDatabaseError` when the database is ahead
 * of the program or cannot be copied, `DB_UNAVAILABLE` when it is away.
 */
export const migrate = async (handle: DatabaseHandle, program: Migrating = thisProgram): Promise<void> => {
  const isDone = async (db: Database): Promise<boolean> => {
    const { pending, applied } = await compare(handle, db, program);
    return pending.length === 0 && applied.every(({ appliedAt }) => appliedAt !== null);
  };
  try {
    if (await isDone(handle.db)) return await stampVersion(handle.db, program.version);
    await handle.exclusively(async (db) => {
      // Another replica may have done it meanwhile.
      if (!(await isDone(db))) {
        await program.beforeChange?.(db);
        await bringUpToDate(handle, db, program);
      }
      await stampVersion(db, program.version);
    }, program.onWait);
  } catch (error) {
    throw databaseError(error) ?? error;
  }
};

/** Every migration of this program, oldest first. Throws as {@link migrate} does. */
export const migrationStatus = async (handle: DatabaseHandle): Promise<MigrationStatus[]> => {
  const { journal, applied } = await compare(handle, handle.db, thisProgram);
  return journal.map(({ tag, when }) => ({
    name: tag,
    appliedAt: applied.find((row) => row.when === when)?.appliedAt ?? null,
  }));
};

/** The same for an installation whose database has not been made yet: everything is pending. */
export const migrationsOfNewDatabase = async (): Promise<MigrationStatus[]> =>
  (await readJournal(thisProgram)).map(({ tag }) => ({ name: tag, appliedAt: null }));

/**
 * Throws an `UnfitDatabaseError` where a newer program has changed the database. Not within a transaction: a database without
 * tables would end that.
 */
export const refuseNewer = async (
  handle: Pick<DatabaseHandle, "db" | "snapshots">,
  program = thisProgram,
): Promise<void> => {
  const [journal, applied] = [await readJournal(program), await readApplied(handle.db)];
  if (countStrangers(journal, applied) > 0) throw await refusedDowngrade(handle, program.version);
};

const compare = async (handle: DatabaseHandle, db: Database, program: Program) => {
  const journal = await readJournal(program);
  const applied = await readApplied(db);
  if (countStrangers(journal, applied) > 0) throw await refusedDowngrade(handle, program.version);
  return { journal, applied, pending: findPending(journal, applied) };
};

const bringUpToDate = async (handle: DatabaseHandle, db: DatabasePool, program: Program): Promise<void> => {
  const { pending, applied } = await compare(handle, db, program);
  if (pending.length > 0 && isInUse(applied)) {
    await copyBefore(handle, program.version);
    // Now, because an older program has to name it even if this one gets no further than its migrations.
    await stampVersion(db, program.version);
  }
  // The table as the migrator makes it, and a column more: it does not note when it did its work.
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(sql`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`);
  await db.execute(
    sql`alter table drizzle.__drizzle_migrations add column if not exists applied_at timestamptz`,
  );
  await runMigrations(db, program.migrations);
  await db.execute(sql`update drizzle.__drizzle_migrations set applied_at = now() where applied_at is null`);
};

/** Whether the database has been started before: in the one that a new installation begins with no time is noted. */
const isInUse = (applied: AppliedMigration[]): boolean => applied.some(({ appliedAt }) => appliedAt !== null);

/** The way back from an upgrade. A server has its own means, and whoever upgrades has been told to use them. */
const copyBefore = async ({ snapshots }: DatabaseHandle, version: string): Promise<void> => {
  try {
    await snapshots?.take(version);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "STORAGE_FULL") throw error;
    throw new UnfitDatabaseError(
      `The disk has no room for the snapshot of the database that is made before version ${version} changes it. Make room and start again; the former version still starts`,
    );
  }
};
