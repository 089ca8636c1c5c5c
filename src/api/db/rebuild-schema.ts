import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "#api/core/database.ts";
import { type Program, readJournal, thisProgram } from "./migration-journal.ts";

/**
 * Removes everything that the program's migrations have ever made, data included, and nothing else. Within a transaction,
 * so that it can be taken back.
 */
export const removeSchema = async (tx: Database, program: Program = thisProgram): Promise<void> => {
  const text = filesOf(program)
    .flatMap(({ sql: statements }) => statements)
    .join("\n");
  const made = (form: RegExp): Set<string> => new Set([...text.matchAll(form)].map(([, name = ""]) => name));
  for (const name of made(/create table (?:if not exists )?"?(\w+)"?/gi))
    await tx.execute(sql`drop table if exists ${sql.identifier(name)} cascade`);
  for (const name of made(/create (?:or replace )?function "?(\w+)"?/gi))
    await tx.execute(sql`drop function if exists ${sql.identifier(name)} cascade`);
  await tx.execute(sql`drop schema if exists drizzle cascade`);
};

/**
 * Applies the program's migrations behind the newest that was applied, up to the one named `through`, or all of them.
 * Unlike the server's own way it can be part of a transaction, and stops where it is told.
 */
export const applyMigrations = async (
  db: Database,
  { through = null, program = thisProgram }: { through?: string | null; program?: Program } = {},
): Promise<void> => {
  const [journal, files] = [await readJournal(program), filesOf(program)];
  const count = through === null ? files.length : journal.findIndex(({ tag }) => tag === through) + 1;
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(sql`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint, applied_at timestamptz)`);
  const [newest] = await db.execute<{ when: number | null }>(
    sql`select max(created_at)::float8 as "when" from drizzle.__drizzle_migrations`,
  );
  for (const { sql: statements, hash, folderMillis } of files.slice(0, count)) {
    if (folderMillis <= (newest?.when ?? 0)) continue;
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
      await tx.execute(sql`
        insert into drizzle.__drizzle_migrations (hash, created_at, applied_at)
        values (${hash}, ${folderMillis}, now())`);
    });
  }
  // Those of the seed have none: without one they count as pending, and the database as unused.
  await db.execute(sql`update drizzle.__drizzle_migrations set applied_at = now() where applied_at is null`);
};

/** The names of the tables that the migrations up to the one named `through` leave, in no order. */
export const tablesThrough = async (
  through: string,
  program: Program = thisProgram,
): Promise<ReadonlySet<string>> => {
  const count = (await readJournal(program)).findIndex(({ tag }) => tag === through) + 1;
  const tables = new Set<string>();
  const statements = filesOf(program)
    .slice(0, count)
    .flatMap(({ sql: texts }) => texts);
  for (const [, word = "", name = ""] of statements.join("\n").matchAll(tableStatement)) {
    if (word.toLowerCase() === "create") tables.add(name);
    else tables.delete(name);
  }
  return tables;
};

const tableStatement = /\b(create|drop) table (?:if (?:not )?exists )?"?(\w+)"?/gi;

/** Whether a server has ever been started on the database. */
export const hasInstallation = async (db: Database): Promise<boolean> => {
  const [row] = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('public.installation') is not null as "isThere"`,
  );
  if (row?.isThere !== true) return false;
  const found = await db.execute(sql`select from installation limit 1`);
  return found.length > 0;
};

const filesOf = ({ migrations }: Program) => readMigrationFiles({ migrationsFolder: migrations });
