import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import { checkKey } from "#api/db/key-check.ts";
import { makeReady } from "#api/db/make-ready.ts";
import { migrate, migrationStatus } from "#api/db/migrate.ts";
import { thisProgram } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { applyMigrations, removeSchema } from "#api/db/rebuild-schema.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import { abandonLoad, beginLoad, finishLoad, loadPart } from "#api/db/transfer/load-tables.ts";
import { measureTables, type TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestDatabase } from "#api/testing/database.ts";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openArchive } from "./archive/read-archive.ts";
import { makeBackup } from "./dump.ts";
import { checkSchema } from "./load.ts";
import { restoreBackup } from "./restore-backup.ts";
import { verifyBackup } from "./verify-backup.ts";

setDefaultTimeout(60_000);

const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";
const box = createSecretBox(new TextEncoder().encode(secret));
const noMigrations = thisProgram.ownMigrations;
const closes: (() => unknown)[] = [];
let source: TestDatabaseHandle;

/** Makes these the migrations of own features; older than the product's newest, as after a merge. */
const haveOwn = (...statements: string[]): void => {
  const folder = makeDataFolder();
  closes.push(folder.remove);
  mkdirSync(join(folder.path, "meta"));
  const entries = statements.map((text, at) => {
    const tag = `000${at}_notes`;
    writeFileSync(join(folder.path, `${tag}.sql`), text);
    return { idx: at, version: "7", when: 1_000 + at, tag, breakpoints: true };
  });
  writeFileSync(join(folder.path, "meta/_journal.json"), JSON.stringify({ entries }));
  thisProgram.ownMigrations = folder.path;
};

const notes = `create schema "app";
--> statement-breakpoint
create table "app"."notes" (number bigserial primary key, user_id uuid not null references users on delete cascade, body text, "line" text, "size" int, "Rows" jsonb);
--> statement-breakpoint
create index notes_body on "app"."notes" (body);
--> statement-breakpoint
create table app.kinds (name text primary key);
--> statement-breakpoint
insert into app.kinds values ('made by the migration');`;

beforeAll(async () => {
  haveOwn(notes);
  source = await openTestHandle();
  await migrate(source.handle);
  await checkKey(source.handle.db, box);
  await source.handle.db.execute(sql`
    insert into users (id, name, email, email_key) values (gen_random_uuid(), 'Ada', 'ada@example.test', 'ada@example.test')`);
  await source.handle.db.execute(sql`insert into app.notes (user_id, body) select id, 'Hello' from users`);
  await source.handle.db.execute(sql`insert into app.kinds values ('added later')`);
});
afterAll(async () => {
  thisProgram.ownMigrations = noMigrations;
  await source.close();
  for (const close of closes) await close();
});

const found = async (db: Database) => {
  const [row] = await db.execute<Record<string, unknown>>(sql`
    select (select string_agg(name || ': ' || body, ' ') from app.notes join users on users.id = user_id) as notes,
      (select string_agg(name, ', ' order by name) from app.kinds) as kinds, nextval('app.notes_number_seq')::int as next,
      (select count(*)::int from pg_indexes where indexname = 'notes_body') as indexes`);
  return row;
};
const whole = { notes: "Ada: Hello", kinds: "added later, made by the migration", next: 2, indexes: 1 };

const backup = (): Promise<Uint8Array> =>
  makeBackup(
    {
      handle: source.handle,
      ...{ clock: systemClock, log: createRecordingLog(), key: null, lock: null, onProgress: () => {} },
      scratch: join(newFolder(), "backup.part"),
    },
    async (bytes) => Buffer.concat(await Array.fromAsync(bytes)),
  );

const newFolder = (): string => {
  const folder = makeDataFolder();
  closes.push(folder.remove);
  return folder.path;
};

const open = async (bytes: Uint8Array) =>
  openArchive(
    (async function* () {
      yield bytes;
    })(),
    { passphrase: null, identities: [] },
  );

const beside = { log: createRecordingLog(), clock: systemClock, onProgress: () => {} };

const restore = async (bytes: Uint8Array, dataDir: string) =>
  restoreBackup({
    ...beside,
    config: readConfig({ DATA_DIR: dataDir, APP_SECRET: secret }, false),
    archive: await open(bytes),
    isDroppingSecrets: false,
    beforeReplacing: async () => null,
  });

/** Another database of the same kind, migrated; several statements of it never overlap here. */
const another = async (): Promise<TransferDatabase> => {
  const { db, close } = await openTestDatabase();
  closes.push(close);
  await applyMigrations(db);
  return { db, kind: source.handle.kind, exclusively: (work) => work(db as DatabasePool) };
};

test("tables of own features are in a backup, in its trial and in what is restored of it, with their numbering", async () => {
  const bytes = await backup();
  const { isSound, differing } = await verifyBackup({
    ...{ ...beside, box, roomIn: newFolder() },
    archive: await open(bytes),
  });
  expect({ isSound, differing }).toEqual({ isSound: true, differing: [] });
  const dataDir = newFolder();
  await restore(bytes, dataDir);
  const handle = await openDatabase({ databaseUrl: null, dataDir, ...beside });
  closes.push(handle.close);
  expect(await found(handle.db)).toEqual(whole);
  expect((await migrationStatus(handle)).at(-1)).toMatchObject({ name: "own/0000_notes" });
});

test("they are brought to another database, measured, and removed with the rest", async () => {
  const target = await another();
  const load = await beginLoad(target, { how: "Do it again." });
  const expected: Record<string, number> = {};
  for await (const part of dumpTables(source.handle)) {
    await loadPart(target, load, part);
    expected[part.table] = (expected[part.table] ?? 0) + part.rows;
  }
  await finishLoad(target, load, { expected });
  expect(await found(target.db)).toMatchObject({ ...whole, next: expect.any(Number) });
  expect(await measureTables(target.db)).toContainEqual({
    table: "app.notes",
    rows: 1,
    bytes: expect.any(Number),
  });
  await target.db.transaction((tx) => removeSchema(tx));
  const [row] = await target.db.execute(sql`select to_regnamespace('app') as app`);
  expect(row).toEqual({ app: null });
});

test("a load that is given up leaves a database in which the next start makes them again", async () => {
  const target = await another();
  const load = await beginLoad(target, { how: "Do it again." });
  for await (const part of dumpTables(source.handle)) await loadPart(target, load, part);
  expect(await abandonLoad(target, load)).toBe(true);
  await applyMigrations(target.db);
  expect(await found(target.db)).toMatchObject({ notes: null, kinds: "made by the migration" });
});

test("a program without the feature starts and says so; its backup is whole, and a restore there is refused", async () => {
  const own = thisProgram.ownMigrations;
  thisProgram.ownMigrations = noMigrations;
  const log = createRecordingLog();
  await makeReady(source.handle, { url: null, log });
  expect(log.entries).toContainEqual(
    expect.objectContaining({
      level: "warn",
      message: expect.stringContaining("own features that this program lacks"),
    }),
  );
  const bytes = await backup();
  expect(String(await failureOf(restore(bytes, newFolder())))).toContain(
    "own features (app.kinds, app.notes)",
  );
  thisProgram.ownMigrations = own;
  const { manifest } = await open(bytes);
  await checkSchema(manifest);
  expect(manifest.tables).toEqual(expect.arrayContaining(["app.kinds", "app.notes"]));
});

test.each([
  ["create table stray (n int)", "create table stray"],
  ["create table app.more (n int);\n--> statement-breakpoint\nselect 1 / 0", "division by zero"],
])(
  "an own migration that can't be applied is named, and nothing of it stays: %s",
  async (statement, words) => {
    const own = thisProgram.ownMigrations;
    haveOwn(notes, statement);
    const failure = await failureOf(migrate(source.handle));
    thisProgram.ownMigrations = own;
    expect(failure).toMatchObject({ name: "UnfitDatabaseError" });
    expect(String(failure)).toContain("drizzle/own/0001_notes.sql");
    expect(String(failure)).toContain(words);
    const [row] = await source.handle.db.execute(
      sql`select to_regclass('app.more') as more, to_regclass('stray') as stray`,
    );
    expect(row).toEqual({ more: null, stray: null });
    await migrate(source.handle);
  },
);
