import { beforeAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { handleForFile } from "#api/testing/database-for-file.ts";
import { vacuumStaleTables } from "../open-embedded.ts";

const database = await handleForFile();

beforeAll(async () => {
  await database.handle.db.execute(sql`create table "Odd; name" as select generate_series(1, 100) as n`);
});

const vacuum = (hoursFromNow: number): Promise<number> => {
  const now = new Date(Date.now() + hoursFromNow * 60 * 60 * 1000);
  return database.handle.exclusively((db) => vacuumStaleTables(db, now));
};

test("each table is vacuumed and analysed once a day", async () => {
  const tables = await vacuum(0);
  expect(tables).toBeGreaterThan(0);
  const [row] = await database.handle.db.execute<{ n: number }>(
    sql`select reltuples::int as n from pg_class where relname = 'Odd; name'`,
  );
  expect(row?.n).toBe(100);
  expect(await vacuum(1)).toBe(0);
  expect(await vacuum(25)).toBe(tables);
});
