import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrate as runMigrator } from "drizzle-orm/postgres-js/migrator";
import { migrationsFolder } from "./bundled-files.ts";
import type { Database } from "./database.ts";
import type { DatabaseHandle } from "./database-handle.ts";
import { databaseError, sqlStateOf } from "./errors.ts";

/** One migration; `appliedAt` is an ISO instant, or `null` while it is pending. */
export type MigrationStatus = { name: string; appliedAt: string | null };

/**
 * Brings the database to this program's schema, one process at a time. Throws when the database is ahead of the
 * program, `DB_UNAVAILABLE` when it is away.
 */
export const migrate = async (handle: DatabaseHandle): Promise<void> => {
  const journal = await readJournal();
  const isDone = async (db: Database): Promise<boolean> => {
    const applied = await readApplied(db);
    return findPending(journal, applied).length === 0 && applied.every(({ appliedAt }) => appliedAt !== null);
  };
  try {
    if (await isDone(handle.db)) return;
    await handle.exclusively(async (db) => {
      // Another replica may have done it meanwhile.
      if (await isDone(db)) return;
      // The table as the migrator makes it, and a column more: it does not note when it did its work.
      await db.execute(sql`create schema if not exists drizzle`);
      await db.execute(sql`
        create table if not exists drizzle.__drizzle_migrations (
          id serial primary key, hash text not null, created_at bigint)`);
      await db.execute(
        sql`alter table drizzle.__drizzle_migrations add column if not exists applied_at timestamptz`,
      );
      await runMigrator(db, { migrationsFolder });
      await db.execute(
        sql`update drizzle.__drizzle_migrations set applied_at = now() where applied_at is null`,
      );
    });
  } catch (error) {
    throw databaseError(error) ?? error;
  }
};

/** Every migration of this program, oldest first. Throws as {@link migrate} does. */
export const migrationStatus = async (handle: DatabaseHandle): Promise<MigrationStatus[]> => {
  const journal = await readJournal();
  const applied = await readApplied(handle.db);
  findPending(journal, applied);
  return journal.map(({ tag, when }) => ({
    name: tag,
    appliedAt: applied.find((row) => row.when === when)?.appliedAt ?? null,
  }));
};

/** The same for an installation whose database has not been made yet: everything is pending. */
export const migrationsOfNewDatabase = async (): Promise<MigrationStatus[]> =>
  (await readJournal()).map(({ tag }) => ({ name: tag, appliedAt: null }));

/** A migration as the generator lists it; `when`, in milliseconds, is what the database knows it by. */
type JournalEntry = { tag: string; when: number };
type AppliedMigration = { when: number; appliedAt: string | null };

const readJournal = async (): Promise<JournalEntry[]> => {
  const path = join(migrationsFolder, "meta/_journal.json");
  const { entries }: { entries: JournalEntry[] } = await Bun.file(path).json();
  return entries;
};

const readApplied = async (db: Database): Promise<AppliedMigration[]> => {
  try {
    // Through JSON, because a table made by the migrator itself lacks the column.
    return await db.execute<AppliedMigration>(sql`
      select created_at::float8 as "when", to_jsonb(done) ->> 'applied_at' as "appliedAt"
      from drizzle.__drizzle_migrations as done`);
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return [];
    throw databaseError(error) ?? error;
  }
};

const undefinedTable = "42P01";

const findPending = (journal: JournalEntry[], applied: AppliedMigration[]): JournalEntry[] => {
  const isApplied = ({ when }: JournalEntry): boolean => applied.some((row) => row.when === when);
  const strangers = applied.filter((row) => !journal.some(({ when }) => when === row.when));
  if (strangers.length > 0) {
    throw new Error(
      `The database is newer than this program: ${strangers.length} of its migrations are unknown here. Start the newer version, or restore a backup that was made before it`,
    );
  }
  const pending = journal.filter((entry) => !isApplied(entry));
  const newest = Math.max(...applied.map(({ when }) => when));
  const late = pending.find(({ when }) => when < newest);
  // The migrator would pass over it in silence.
  if (late)
    throw new Error(`Migration ${late.tag} is older than one that is already applied; generate it anew`);
  return pending;
};
