import type { PGlite } from "@electric-sql/pglite";
import { ownSchema } from "#api/db/migration-journal.ts";

/** What a migrated database is like that no one has used: its catalogue, and what migrations leave in its tables. */
export type FreshState = { catalogue: string; rows: Record<string, string> };

/** Reads that of the one that `engine` has. */
export const readFreshState = async (engine: PGlite): Promise<FreshState> => {
  const rows: FreshState["rows"] = {};
  for (const table of await namesOf(engine, filledTables)) rows[table] = await rowsOf(engine, table);
  return { catalogue: await catalogueOf(engine), rows };
};

/**
 * Takes out what was written since, and lets sequences begin again. `false` when it is not as it was all the same: when a
 * test has changed the catalogue.
 */
export const emptyEngine = async (engine: PGlite, fresh: FreshState): Promise<boolean> => {
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
