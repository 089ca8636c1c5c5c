import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { programVersion } from "#api/core/program-version.ts";
import { migrationsFolder } from "./bundled-files.ts";
import { databaseError, sqlStateOf } from "./errors.ts";

/** What a program brings along: its version, and the folder of its migrations. */
export type Program = { version: string; migrations: string };

/** This program. */
export const thisProgram: Program = { version: programVersion, migrations: migrationsFolder };

/** A migration as the generator lists it; `when`, in milliseconds, is what the database knows it by. */
export type JournalEntry = { tag: string; when: number };

/** A migration as the database lists it; `appliedAt` is `null` in the cluster that new installations begin with. */
export type AppliedMigration = { when: number; appliedAt: string | null };

/** The migrations of a program, oldest first. */
export const readJournal = async ({ migrations }: Program): Promise<JournalEntry[]> => {
  const { entries }: { entries: JournalEntry[] } = await Bun.file(
    join(migrations, "meta/_journal.json"),
  ).json();
  return entries;
};

/** What has been applied; nothing in an empty database. Throws `DB_UNAVAILABLE`. */
export const readApplied = async (db: Database): Promise<AppliedMigration[]> => {
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

/** How many of the applied migrations the program does not know: a newer version has been here. */
export const countStrangers = (journal: JournalEntry[], applied: AppliedMigration[]): number =>
  applied.filter((row) => !journal.some(({ when }) => when === row.when)).length;

/** What is still to be applied. Throws for a migration that the migrator would pass over in silence. */
export const findPending = (journal: JournalEntry[], applied: AppliedMigration[]): JournalEntry[] => {
  const pending = journal.filter(({ when }) => !applied.some((row) => row.when === when));
  const newest = Math.max(...applied.map(({ when }) => when));
  const late = pending.find(({ when }) => when < newest);
  if (late)
    throw new Error(`Migration ${late.tag} is older than one that is already applied; generate it again`);
  return pending;
};
