import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { ownSchema } from "#api/db/migration-journal.ts";

/** What a migrated database is like that no one has used: its catalogue, and what migrations leave in its tables. */
type FreshState = { catalogue: string; rows: Record<string, string> };

/** Reads that of the one that `engine` has. */
const readFreshState = async (engine: PGlite): Promise<FreshState> => {
  const rows: FreshState["rows"] = {};
  for (const table of await namesOf(engine, filledTables)) rows[table] = await rowsOf(engine, table);
  return { catalogue: await catalogueOf(engine), rows };
};

/**
 * Takes out what was written since, and lets sequences begin again. `false` when it is not as it was all the same: when a
 * test has changed the catalogue.
 */
const emptyEngine = async (engine: PGlite, fresh: FreshState): Promise<boolean> => {
  await engine.exec("rollback");
  await engine.exec("discard all");
  // The log of activities guards itself with triggers.
  await engine.exec("set session_replication_role = replica");
  const used = await namesOf(engine, filledTables);
  const isAsItWas = async (table: string) => (await rowsOf(engine, table)) === fresh.rows[table];
  const changed = [];
  for (const table of used) if (!(await isAsItWas(table))) changed.push(table);
  if (changed.length > 0) await engine.exec(`truncate ${changed.join(", ")} restart identity cascade`);
  for (const [table, rows] of Object.entries(fresh.rows))
    if (!(await isAsItWas(table)))
      await engine.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        rows,
      ]);
  for (const name of await namesOf(engine, usedSequences))
    await engine.exec(`alter sequence ${name} restart`);
  await engine.exec("discard all");
  return (await catalogueOf(engine)) === fresh.catalogue;
};

/** Tables that have pages: those with rows, and those that had some. */
const filledTables = `
  select oid::regclass::text as value from pg_class
  where relkind = 'r' and relnamespace in (select oid from pg_namespace where nspname in ('public', '${ownSchema}'))
    and pg_relation_size(oid) > 0 order by oid`;

const usedSequences = `
  select quote_ident(schemaname) || '.' || quote_ident(sequencename) as value from pg_sequences
  where schemaname in ('public', '${ownSchema}') and last_value is not null`;

/**
 * Everything that statements may change beside rows, by the transactions that wrote it last; of tables what a truncation
 * leaves alone. What went with the session, as temporary tables do, does not count.
 */
const catalogueOf = async (engine: PGlite): Promise<string> => {
  const [line] = await namesOf(engine, catalogue);
  return line ?? "";
};

const written = (table: string, where = "true") =>
  `select '${table} ' || count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) from ${table} where ${where}`;

const catalogue = `
  select string_agg(line, '; ') as value from (
    ${[
      "pg_attribute",
      "pg_attrdef",
      "pg_constraint",
      "pg_index",
      "pg_trigger",
      "pg_proc",
      "pg_type",
      "pg_extension",
      "pg_rewrite",
      "pg_policy",
      "pg_publication",
      "pg_event_trigger",
      "pg_statistic",
      "pg_statistic_ext",
      "pg_largeobject_metadata",
      "pg_database",
      "pg_authid",
      "pg_db_role_setting",
    ]
      .map((table) => written(table))
      .join(" union all ")}
    union all ${written("pg_namespace", "nspname !~ '^pg_(toast_)?temp_'")}
    union all select 'pg_class ' || count(*) || ' ' || sum(hashtext(concat_ws(' ',
      oid, relname, relnamespace, relowner, relkind, relpersistence, relnatts, relchecks,
      relhasrules, relhastriggers, relrowsecurity, relacl, reloptions))::bigint) from pg_class
  ) lines (line)`;

/** All rows of a table, as JSON. */
const rowsOf = async (engine: PGlite, table: string): Promise<string> => {
  const [rows] = await namesOf(engine, `select coalesce(json_agg(t), '[]')::text as value from ${table} t`);
  return rows ?? "";
};

const namesOf = async (engine: PGlite, query: string): Promise<string[]> => {
  const { rows } = await engine.query<{ value: string }>(query);
  return rows.map(({ value }) => value);
};

/** A database engine in this process, without a disk; its database is migrated and has nothing in it. */
export type MemoryEngine = { engine: PGlite; fresh: FreshState };

/** Starts one. Where there is no snapshot to start from, `migrate` is asked to fill it, and one is left for the next. */
export const startMemoryEngine = async (
  migrate: (engine: PGlite) => Promise<void>,
): Promise<MemoryEngine> => {
  const path = await snapshotPath();
  const [tar, state] = [Bun.file(path), Bun.file(stateOf(path))];
  if ((await tar.exists()) && (await state.exists())) {
    const engine = await PGlite.create({ loadDataDir: tar, extensions });
    return { engine, fresh: await state.json() };
  }
  const engine = await PGlite.create({ extensions, initDbStartParams });
  await migrate(engine);
  // Nothing makes a second database, and the templates for one are two thirds of the files.
  await engine.exec("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ["template0", "template1"]) await engine.exec(`drop database ${name}`);
  await engine.exec("checkpoint");
  const fresh = await readFreshState(engine);
  const dump = await engine.dumpDataDir("none");
  await mkdir(folder, { recursive: true });
  await writeWhole(stateOf(path), JSON.stringify(fresh));
  await writeWhole(path, new Uint8Array(await dump.arrayBuffer()));
  return { engine, fresh };
};

/** Makes it as it was at its start. `false` where that cannot be done: it is of no more use then. */
export const renewMemoryEngine = ({ engine, fresh }: MemoryEngine): Promise<boolean> =>
  // Whatever is wrong with it, another one is started in its place.
  emptyEngine(engine, fresh).catch(() => false);

const extensions = { pg_trgm };
// As the product's: files of the log that are sixteen times smaller.
const initDbStartParams = ["--wal-segsize=1"];

// A migrated cluster is kept between runs: to load it takes a fraction of the time that making it takes.
const root = join(import.meta.dir, "../../..");
const folder = join(root, "node_modules/.cache/atrium");
const migrations = join(root, "drizzle");

const snapshotPath = async (): Promise<string> => {
  const hash = createHash("sha256");
  const names = (await readdir(migrations, { recursive: true }))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const own = [join(import.meta.dir, "memory-engine.ts")];
  for (const path of [...names.map((name) => join(migrations, name)), join(root, "package.json"), ...own])
    hash.update(path.slice(root.length)).update(await readFile(path));
  return join(folder, `test-database-${hash.digest("hex").slice(0, 16)}.tar`);
};

const stateOf = (path: string): string => path.replace(/tar$/, "json");

/** Suites that start at the same time must never see half a file. */
const writeWhole = async (path: string, content: string | Uint8Array): Promise<void> => {
  const part = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(part, content);
  await rename(part, path);
};
