import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { Database } from "#api/core/database.ts";
import {
  dateList,
  listNames,
  makeList,
  migrationsOf,
  type Owner,
  ownSchema,
  type Program,
  readJournal,
  thisProgram,
} from "./migration-journal.ts";

/**
 * Removes everything that the program's migrations have ever made and all tables of own features, data included, and nothing
 * else. Within a transaction, so that it can be taken back.
 */
export const removeSchema = async (tx: Database, program: Program = thisProgram): Promise<void> => {
  const text = filesOf(program, "product")
    .flatMap(({ sql: statements }) => statements)
    .join("\n");
  const made = (form: RegExp): Set<string> => new Set([...text.matchAll(form)].map(([, name = ""]) => name));
  for (const name of made(/create (?:unlogged )?table (?:if not exists )?"?(\w+)"?/gi))
    await tx.execute(sql`drop table if exists ${sql.identifier(name)} cascade`);
  for (const name of made(/create (?:or replace )?function "?(\w+)"?/gi))
    await tx.execute(sql`drop function if exists ${sql.identifier(name)} cascade`);
  await removeOwn(tx);
  await tx.execute(sql`drop schema if exists drizzle cascade`);
};

/** Removes all tables of own features with their data. A schema of the same name that their migrations did not make stays. */
export const removeOwn = async (tx: Database): Promise<void> => {
  const list = `drizzle.${listNames.own}`;
  const [row] = await tx.execute<{ isThere: boolean }>(
    sql`select to_regclass(${list}) is not null as "isThere"`,
  );
  if (row?.isThere !== true) return;
  await tx.execute(sql`drop schema if exists ${sql.identifier(ownSchema)} cascade`);
  await tx.execute(sql`drop table ${sql.raw(list)}`);
};

/**
 * Applies the program's migrations behind the newest that was applied, up to the one named `through`, or all of them, and then
 * the first `own` of those of own features, or all. Unlike the server's own way it can be part of a transaction, and stops where
 * it is told.
 */
export const applyMigrations = async (
  db: Database,
  {
    through = null,
    own,
    program = thisProgram,
  }: { through?: string | null; own?: number; program?: Program } = {},
): Promise<void> => {
  const journal = await readJournal(program);
  const count = through === null ? undefined : journal.findIndex(({ tag }) => tag === through) + 1;
  await applyFiles(db, filesOf(program, "product").slice(0, count), "product");
  const ownFiles = (await readJournal(program, "own")).length === 0 ? [] : filesOf(program, "own");
  if (ownFiles.length > 0 && own !== 0) await applyFiles(db, ownFiles.slice(0, own), "own");
};

const applyFiles = async (db: Database, files: readonly MigrationMeta[], owner: Owner): Promise<void> => {
  const list = sql`drizzle.${sql.identifier(listNames[owner])}`;
  await makeList(db, owner);
  const [newest] = await db.execute<{ when: number | null }>(
    sql`select max(created_at)::float8 as "when" from ${list}`,
  );
  for (const { sql: statements, hash, folderMillis } of files) {
    if (folderMillis <= (newest?.when ?? 0)) continue;
    await db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(sql.raw(statement));
      await tx.execute(sql`
        insert into ${list} (hash, created_at, applied_at) values (${hash}, ${folderMillis}, now())`);
    });
  }
  // Those of the seed have none: without one they count as pending, and the database as unused.
  await dateList(db, owner);
};

/** The names of the tables that the migrations up to the one named `through` leave, in no order. */
export const tablesThrough = async (
  through: string,
  program: Program = thisProgram,
): Promise<ReadonlySet<string>> => {
  const count = (await readJournal(program)).findIndex(({ tag }) => tag === through) + 1;
  const tables = new Set<string>();
  const statements = filesOf(program, "product")
    .slice(0, count)
    .flatMap(({ sql: texts }) => texts);
  for (const [, word = "", name = ""] of statements.join("\n").matchAll(tableStatement)) {
    if (word.toLowerCase() === "create") tables.add(name);
    else tables.delete(name);
  }
  return tables;
};

const tableStatement = /\b(create|drop) (?:unlogged )?table (?:if (?:not )?exists )?"?(\w+)"?/gi;

/** Whether a server has ever been started on the database. */
export const hasInstallation = async (db: Database): Promise<boolean> => {
  const [row] = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('public.installation') is not null as "isThere"`,
  );
  if (row?.isThere !== true) return false;
  const found = await db.execute(sql`select from installation limit 1`);
  return found.length > 0;
};

const filesOf = (program: Program, owner: Owner): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder: migrationsOf(program, owner) });
