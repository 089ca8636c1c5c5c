import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { checkKey } from "#api/db/key-check.ts";
import { makeReady } from "#api/db/make-ready.ts";
import { migrate, migrationStatus } from "#api/db/migrate.ts";
import { readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { refuseOtherKey } from "./take-key.ts";

const own = "q7Yt2kLz9Vb4Xn1Rw6Jm3Pf8Hd5Gs0CaEuTi";
const other = "Zx81Lq0Vw5Tn7Rb2Kc9Mf4Jh6Pd3Sg0YaUeOi";
let database: TestDatabaseHandle;
let folder: ReturnType<typeof makeDataFolder>;

let migrations: string;
beforeAll(async () => {
  database = await openTestHandle();
  folder = makeDataFolder();
  migrations = join(folder.path, "first");
  mkdirSync(join(migrations, "meta"), { recursive: true });
  const entries = (await readJournal(thisProgram)).slice(0, 1);
  for (const { tag } of entries)
    cpSync(join(thisProgram.migrations, `${tag}.sql`), join(migrations, `${tag}.sql`));
  await Bun.write(join(migrations, "meta/_journal.json"), JSON.stringify({ entries }));
});
/** An installation of the program's very first version, which was started with a key. */
beforeEach(async () => {
  const { db } = database.handle;
  for (const schema of ["drizzle", "public"])
    await db.execute(sql.raw(`drop schema if exists ${schema} cascade`));
  await db.execute(sql`create schema public`);
  await migrate(database.handle, { ...thisProgram, version: "0.1.0", migrations });
  await checkKey(db, createSecretBox(new TextEncoder().encode(own)));
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

const start = (appSecret: string) =>
  makeReady(
    { ...database.handle, close: async () => {} },
    {
      url: null,
      log: database.log,
      beforeChange: (db) => refuseOtherKey({ appSecret, appSecretPrevious: null, dataDir: folder.path }, db),
    },
  );
const shape = async () => [
  await migrationStatus(database.handle),
  [...(await database.handle.db.execute(sql`select * from installation order by key`))],
  await database.handle.snapshots?.list(),
];

test("S6: another key is refused before an older database is migrated, and changes nothing", async () => {
  const before = await shape();
  expect(await failureOf(start(other))).toMatchObject({ name: "UnusableKeyError" });
  expect(await shape()).toEqual(before);
});

test("the key that an older database was made with migrates it", async () => {
  await start(own);
  expect((await migrationStatus(database.handle)).filter(({ appliedAt }) => appliedAt === null)).toEqual([]);
});

test("a database that is empty has no key to compare with, and nothing is written", async () => {
  await database.handle.db.execute(sql`drop table installation`);
  const config = { appSecret: other, appSecretPrevious: null, dataDir: folder.path };
  await refuseOtherKey(config, database.handle.db);
});
