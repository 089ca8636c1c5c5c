import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { lockName } from "./data-folder.ts";

const database = await databaseForFile();

const waitOf = async (db: Database) =>
  (await db.execute<{ wait: string }>(sql`select current_setting('lock_timeout') as wait`))[0]?.wait;

test("a name is waited for as long as was said, in this transaction and in no other", async () => {
  await database.db.transaction(async (tx) => {
    await lockName(tx, "one");
    expect(await waitOf(tx)).toBe("3s");
    await lockName(tx, "other", 70);
    expect(await waitOf(tx)).toBe("70s");
  });
  expect(await waitOf(database.db)).toBe("0");
});
