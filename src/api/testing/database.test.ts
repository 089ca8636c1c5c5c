import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { users } from "#api/db/schema.ts";
import { openTestDatabase } from "./database.ts";
import { fingerprintOf } from "./fingerprint.ts";

/** Opens a database, has something done in it, and closes it; resolves to what was done. */
const inOne = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
  const { db, close } = await openTestDatabase();
  try {
    return await work(db);
  } finally {
    await close();
  }
};

/** What the database holds, and of its catalogue and session what the tests below change. */
const stateOf = async (db: Database) => ({
  contents: await fingerprintOf(db),
  columns: await db.execute(sql`
    select attrelid::regclass::text as "table", attname as name from pg_attribute
    where attrelid = 'users'::regclass and attnum > 0 and not attisdropped order by attnum`),
  triggers: await db.execute(sql`select tgname, tgenabled from pg_trigger order by tgname`),
  settings: await db.execute(sql`select current_setting('work_mem') as memory`),
});
const fresh = await inOne(stateOf);

const actions: [name: string, work: (db: Database) => Promise<unknown>][] = [
  [
    "rows",
    async (db) => {
      await db.insert(users).values({ id: newId(), name: "Ada", email: "ada", emailKey: "ada" });
      await db.execute(sql`update activity_chain set head_id = 5`);
    },
  ],
  ["a setting of its session", (db) => db.execute(sql`set work_mem = '64kB'`)],
  ["a temporary table", (db) => db.execute(sql`create temporary table passing as select 1 as n`)],
  ["a table", (db) => db.execute(sql`create table kept as select 1 as n`)],
  ["a column", (db) => db.execute(sql`alter table users add column kept int`)],
  ["a trigger that is switched off", (db) => db.execute(sql`alter table activities disable trigger all`)],
  ["figures for the planner", (db) => db.execute(sql`analyze`)],
];

describe("a test database", () => {
  test.each(actions)("does not hold what another test left in its own: %s", async (_, work) => {
    await inOne(work);
    expect(await inOne(stateOf)).toEqual(fresh);
    await inOne(async (db) => {
      expect(await db.execute(sql`select 1 from pg_class where relname in ('kept', 'passing')`)).toHaveLength(
        0,
      );
    });
  });

  test("numbers its rows from one again", async () => {
    const numberOf = (db: Database) =>
      db.execute<{ n: string }>(
        sql`select nextval(pg_get_serial_sequence('setting_changes', 'id'))::text as n`,
      );
    const first = await inOne(numberOf);
    expect(await inOne(numberOf)).toEqual(first);
  });

  test("is another one for each that is open at the same time", async () => {
    await inOne(async (one) => {
      await one.insert(users).values({ id: newId(), name: "Ada", email: "ada", emailKey: "ada" });
      expect(await inOne(stateOf)).toEqual(fresh);
    });
  });
});
