import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { programVersion } from "#api/core/program-version.ts";
import { migrationsFolder, ownMigrationsFolder } from "./bundled-files.ts";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import { databaseError, sqlStateOf } from "./errors.ts";

/** What a program brings along: its version, the folder of its migrations, and that of the migrations of own features. */
export type Program = { version: string; migrations: string; ownMigrations: string };

/** This program. */
export const thisProgram: Program = {
  version: programVersion,
  migrations: migrationsFolder,
  ownMigrations: ownMigrationsFolder,
};

/**
 * Whose migrations: the product's, or those of own features, which come after them. Each are listed in a table of the schema
 * `drizzle`, so that a new version's can't be older than one of an own feature that was applied before.
 */
export type Owner = "product" | "own";

/** The table of the schema `drizzle` that lists what was applied. */
export const listNames: Record<Owner, string> = {
  product: "__drizzle_migrations",
  own: "__own_migrations",
};

export const migrationsOf = ({ migrations, ownMigrations }: Program, owner: Owner): string =>
  owner === "product" ? migrations : ownMigrations;

/** A migration as the generator lists it; `when`, in milliseconds, is what the database knows it by. */
export type JournalEntry = { tag: string; when: number };

/** A migration as the database lists it; `appliedAt` is `null` in the cluster that new installations begin with. */
export type AppliedMigration = { when: number; appliedAt: string | null };

/** The migrations of a program, oldest first; those of own features only where there are any. */
export const readJournal = async (program: Program, owner: Owner = "product"): Promise<JournalEntry[]> => {
  const path = join(migrationsOf(program, owner), "meta/_journal.json");
  if (owner === "own" && !existsSync(path)) return [];
  const { entries }: { entries: JournalEntry[] } = await Bun.file(path).json();
  return entries;
};

/** What has been applied; nothing in an empty database. Throws `DB_UNAVAILABLE`. */
export const readApplied = async (db: Database, owner: Owner = "product"): Promise<AppliedMigration[]> => {
  try {
    // Through JSON, because a table made by the migrator itself lacks the column.
    return await db.execute<AppliedMigration>(sql`
      select created_at::float8 as "when", to_jsonb(done) ->> 'applied_at' as "appliedAt"
      from drizzle.${sql.identifier(listNames[owner])} as done`);
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return [];
    throw databaseError(error) ?? error;
  }
};

const undefinedTable = "42P01";

/** Makes the list of what was applied: as the migrator makes it, and a column more, as that does not note when it did its work. */
export const makeList = async (db: Database, owner: Owner): Promise<void> => {
  const list = sql`drizzle.${sql.identifier(listNames[owner])}`;
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(
    sql`create table if not exists ${list} (id serial primary key, hash text not null, created_at bigint)`,
  );
  await db.execute(sql`alter table ${list} add column if not exists applied_at timestamptz`);
};

/** Notes that whatever the list has was applied by now, at the latest. */
export const dateList = async (db: Database, owner: Owner): Promise<void> => {
  await db.execute(
    sql`update drizzle.${sql.identifier(listNames[owner])} set applied_at = now() where applied_at is null`,
  );
};

/** How many of the applied migrations the program does not know: another program, of the product a newer one, has been here. */
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

/** The schema of PostgreSQL that holds the tables of own features. */
export const ownSchema = "app";

/**
 * Runs `apply`, which applies the pending migrations of own features. Throws an `UnfitDatabaseError` that names the file and the
 * statement which failed, or the table that one would make outside of the schema `app`, where no backup would find it; what the
 * product's own migrations did stays.
 */
export const migrateOwn = async (
  { ownMigrations }: Program,
  pending: readonly JournalEntry[],
  apply: () => Promise<void>,
): Promise<void> => {
  const files = await Promise.all(
    pending.map(async ({ tag }) => ({
      name: `drizzle/own/${tag}.sql`,
      text: await Bun.file(join(ownMigrations, `${tag}.sql`)).text(),
    })),
  );
  for (const { name, text } of files) {
    const [statement] = text.match(strayTable) ?? [];
    if (statement !== undefined)
      throw new UnfitDatabaseError(
        `${name} creates a table outside of the schema "${ownSchema}", where no backup would find it: ${statement}. Declare it with pgSchema("${ownSchema}") and generate the migration again`,
      );
  }
  try {
    await apply();
  } catch (error) {
    const { query, cause } = { query: null, cause: null, ...Object(error) };
    const file = files.find(({ text }) => typeof query === "string" && text.includes(query.trim()));
    if (file === undefined) throw error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnfitDatabaseError(
      `${file.name} failed, and none of the pending migrations of own features was applied: ${reason}. The statement: ${query.trim().slice(0, 300)}`,
    );
  }
};

const strayTable = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?!"?app"?\.)[\w."]+/i;
