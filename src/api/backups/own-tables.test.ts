import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import { checkKey } from "#api/db/key-check.ts";
import { makeReady } from "#api/db/make-ready.ts";
import { migrate, migrationStatus } from "#api/db/migrate.ts";
import { thisProgram } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle, type TestDatabaseHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import {
  addedNotes,
  addNotes,
  notesIn,
  notesMigration,
  useOwnMigrations,
} from "#api/testing/own-migrations.ts";
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

beforeAll(async () => {
  closes.push(useOwnMigrations(notesMigration));
  source = await openTestHandle();
  await migrate(source.handle);
  await checkKey(source.handle.db, box);
  await addNotes(source.handle.db);
});
afterAll(async () => {
  await source.close();
  for (const close of closes) await close();
});

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
  expect(await notesIn(handle.db)).toEqual(addedNotes);
  expect((await migrationStatus(handle)).at(-1)).toMatchObject({ name: "own/0000_notes" });
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
    const end = useOwnMigrations(notesMigration, statement);
    const failure = await failureOf(migrate(source.handle));
    end();
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
