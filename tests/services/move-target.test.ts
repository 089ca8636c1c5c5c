import { afterAll, beforeAll, expect, test } from "bun:test";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { inspectTarget } from "#api/db/transfer/inspect-target.ts";
import { beginLoad } from "#api/db/transfer/load-tables.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await run(server.url(), "create role mover login nosuperuser");
});
afterAll(() => server.stop());

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  for (const statement of statements) await client.unsafe(statement);
  await client.end();
};

/** A database of someone else, in which `statements` were run by its owner; `url` is what the mover has to it. */
const makeDatabase = async (...statements: string[]) => {
  const owners = await server.createDatabase();
  const name = new URL(owners).pathname.slice(1);
  await run(owners, ...statements.map((statement) => statement.replaceAll("<name>", name)));
  const url = new URL(owners);
  url.username = "mover";
  return { url: url.href, name };
};

const obstacleAt = async (url: string): Promise<string | null> => {
  const client = postgres(url, { max: 1, fetch_types: false });
  try {
    return (await inspectTarget(drizzle(client))).obstacle;
  } finally {
    await client.end();
  }
};

const make = async (
  url: string,
  work: (handle: Awaited<ReturnType<typeof openDatabase>>) => Promise<unknown>,
) => {
  const parts = { dataDir: "/nowhere", log: createRecordingLog(), clock: systemClock };
  const handle = await openDatabase({ databaseUrl: url, ...parts });
  await work(handle);
  await handle.close();
};

const schemaRight = "grant create on database <name> to mover";
const tableRight = "grant create on schema public to mover";
const isOwned = "alter database <name> owner to mover";

test("a role that may only connect is told which rights it lacks, and those are enough", async () => {
  const { url, name } = await makeDatabase();
  const needed = [
    `grant create on database "${name}" to "mover";`,
    `grant usage, create on schema "public" to "mover";`,
  ];
  expect(await obstacleAt(url)).toEndWith(`Have the database's owner run in it: ${needed.join(" ")}`);
  await run(server.url(name), ...needed);
  expect(await obstacleAt(url)).toBeNull();
  await make(url, async (handle) => {
    await migrate(handle);
    await beginLoad(handle, { how: "" });
  });
  expect(await obstacleAt(url)).toBeNull();
});

test("each missing right is named, also where the schemas exist already", async () => {
  const withList = "create schema drizzle authorization mover";
  expect(await obstacleAt((await makeDatabase(tableRight, withList)).url)).toContain(
    "grant create on database",
  );
  expect(await obstacleAt((await makeDatabase(schemaRight)).url)).toContain("grant usage, create on schema");
  const others = await makeDatabase(isOwned, "create schema drizzle");
  expect(await obstacleAt(others.url)).toContain('schema "drizzle"');
  const aside = await makeDatabase(isOwned, "create schema mover authorization mover");
  expect(await obstacleAt(aside.url)).toContain("set search_path = public");
});

test("tables of this program that belong to another role are refused, even if empty", async () => {
  const { url, name } = await makeDatabase(isOwned);
  await make(server.url(name), migrate);
  await run(
    server.url(name),
    "alter schema drizzle owner to mover",
    "grant select on all tables in schema drizzle to mover",
  );
  expect(await obstacleAt(url)).toContain("belong to another role");
});

test.each([
  ["another program's table", "create table t (id int)", '"t" in the schema "public"'],
  ["another program's view", "create view v as select 1 as one", '"v" in the schema "public"'],
  ["another program's sequence", "create sequence s", '"s" in the schema "public"'],
  ["another program's schema app", "create schema app; create table app.t ()", '"t" in the schema "app"'],
  [
    "tables with what belongs to them",
    "create table t (id serial primary key); create table u ()",
    '"t" and 1 more',
  ],
  ["another program's table of the same name", "create table users (id int)", "with the same names"],
  [
    "another program's list of migrations",
    "create table drizzle.__drizzle_migrations (id serial)",
    "list of migrations",
  ],
])("%s keeps a database from being a target", async (_, statement, words) => {
  const { url, name } = await makeDatabase(isOwned);
  await run(url, "create schema drizzle");
  await run(server.url(name), statement);
  expect(await obstacleAt(url)).toContain(words);
});

test("what extensions bring along, and what lies in other schemas, hinders nothing", async () => {
  const { url } = await makeDatabase(
    isOwned,
    "create extension pg_stat_statements",
    "create extension pg_trgm",
    "create table of_extension (id serial)",
    "alter extension pg_trgm add table of_extension",
    "create schema auth",
    "create table auth.t ()",
  );
  expect(await obstacleAt(url)).toBeNull();
});

test("the list of migrations that a program leaves which is ended before the first hinders nothing", async () => {
  const { url } = await makeDatabase(isOwned);
  await make(url, migrate);
  await run(url, "drop schema public cascade", "create schema public");
  expect(await obstacleAt(url)).toContain("what is left of an installation");
  await run(url, "delete from drizzle.__drizzle_migrations");
  expect(await obstacleAt(url)).toBeNull();
});
