import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { DatabasePool } from "#api/core/database.ts";
import { programVersion } from "#api/core/program-version.ts";
import { checkKey, keyFingerprintOf } from "#api/db/key-check.ts";
import { migrationStatus } from "#api/db/migrate.ts";
import { readJournal, thisProgram } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { applyMigrations, removeSchema, tablesThrough } from "#api/db/rebuild-schema.ts";
import { productTables } from "#api/db/transfer/transfer-tables.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle } from "#api/testing/database-handle.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import {
  ArchiveError,
  archiveFaultTexts,
  archiveFormat,
  type DumpEntry,
  entryPlace,
  type Manifest,
} from "./archive/format.ts";
import { readArchive } from "./archive/read-archive.ts";
import { writeArchive } from "./archive/write-archive.ts";
import { checkSchema } from "./load.ts";
import { createOperatorBackups } from "./operator-backups.ts";
import { restoreBackup } from "./restore-backup.ts";

const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";
const olderThan = "0004_settings";

let older: { manifest: Manifest; entries: DumpEntry[] };
const folders: { path: string; remove(): void }[] = [];
const newFolder = (): string => {
  const folder = makeDataFolder();
  folders.push(folder);
  return folder.path;
};

beforeAll(async () => {
  const source = await openTestHandle();
  await source.handle.exclusively(async (db) => {
    older = await olderBackup(db);
  });
  await source.close();
});
afterAll(() => {
  for (const folder of folders) folder.remove();
});

/** What a version wrote whose database ended with the activity log. */
const olderBackup = async (db: DatabasePool): Promise<typeof older> => {
  const journal = await readJournal(thisProgram);
  const migrations = journal.map(({ tag }) => tag).filter((tag) => tag < olderThan);
  await db.transaction((tx) => removeSchema(tx));
  await applyMigrations(db, { through: migrations.at(-1) ?? "" });
  await checkKey(db, createSecretBox(new TextEncoder().encode(secret)));
  await db.execute(sql`
    insert into users (id, name, email, email_key, google_id)
    values (gen_random_uuid(), 'Ada', 'ada@example.test', 'ada@example.test', '42')`);
  const found = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const entries: DumpEntry[] = [];
  for (const { name } of found) {
    const rows = await db.execute<{ line: string }>(
      sql`select row_to_json(one)::text as line from ${sql.identifier(name)} as one`,
    );
    const bytes = new TextEncoder().encode(rows.map(({ line }) => line).join("\n"));
    if (rows.length > 0) entries.push({ name: `tables/${name}/0.ndjson`, bytes, rows: rows.length });
  }
  const manifest: Manifest = {
    format: archiveFormat,
    version: "0.9.0",
    createdAt: "2026-01-02T03:04:05.000Z",
    database: { kind: "embedded", version: "18.0" },
    migrations,
    ownMigrations: [],
    keyFingerprint: await keyFingerprintOf(db),
    hasKey: false,
    tables: found.map(({ name }) => name),
  };
  return { manifest, entries };
};

const archiveOf = (manifest: Manifest) =>
  writeArchive({
    manifest,
    entries: (async function* () {
      // What is left out of the manifest cannot have parts.
      for (const entry of older.entries) {
        const place = entryPlace(entry.name);
        if (place?.kind !== "part" || manifest.tables.includes(place.table)) yield entry;
      }
    })(),
  });

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, APP_SECRET: secret }, false);

const operator = (dataDir: string) =>
  createOperatorBackups({
    config: configOf(dataDir),
    log: createRecordingLog(),
    clock: systemClock,
  });
const noKeys = { passphrase: null, identities: [], onProgress: () => {} };

const restore = async (dataDir: string, about: Partial<Manifest> = {}) => {
  const bytes = archiveOf({ ...older.manifest, ...about });
  return restoreBackup({
    config: configOf(dataDir),
    log: createRecordingLog(),
    clock: systemClock,
    archive: await readArchive(bytes),
    isDroppingSecrets: false,
    onProgress: () => {},
    beforeReplacing: async () => null,
  });
};

describe("a backup of another version", () => {
  test("is brought up to date when it is older, and is a whole installation then", async () => {
    const dataDir = newFolder();
    await restore(dataDir);
    const log = createRecordingLog();
    const handle = await openDatabase({ databaseUrl: null, dataDir, log, clock: systemClock });
    try {
      const [found] = await handle.db.execute(sql`
        select (select name from users) as name, (select subject from identities) as "googleId",
          (select count(*)::int from plugins) as plugins, (select count(*)::int from activity_inbox) as inbox`);
      expect(found).toEqual({ name: "Ada", googleId: "42", plugins: 0, inbox: 1 });
      const waiting = (await migrationStatus(handle)).filter(({ appliedAt }) => appliedAt === null);
      expect(waiting).toEqual([]);
    } finally {
      await handle.close();
    }
  });

  test("is refused as altered when its tables and migrations do not fit together, and nothing is changed", async () => {
    const { migrations, tables } = older.manifest;
    const odd: Partial<Manifest>[] = [
      { migrations: migrations.slice(0, 2) },
      { tables: [...tables, "pg_authid"] },
      { tables: [...tables, "users"] },
      { tables: tables.filter((name) => name !== "sessions") },
      { tables: tables.map((name) => (name === "sessions" ? "plugins" : name)) },
    ];
    for (const about of odd) {
      const dataDir = newFolder();
      const refused = await restore(dataDir, about).then(String, (error) => error);
      expect(refused).toBeInstanceOf(ArchiveError);
      expect(refused.fault).toBe("altered");
      expect(readdirSync(dataDir)).toEqual([]);
      const { complaint } = await operator(dataDir).plan({
        bytes: archiveOf({ ...older.manifest, ...about }),
        ...noKeys,
      });
      expect(complaint).toBe(archiveFaultTexts.altered);
    }
    const plan = await operator(newFolder()).plan({ bytes: archiveOf(older.manifest), ...noKeys });
    expect(plan.complaint).toBeNull();
  });

  test("knows the tables of each version by its migrations, which are the program's at the end", async () => {
    const journal = await readJournal(thisProgram);
    expect([...(await tablesThrough(journal.at(-1)?.tag ?? ""))].sort()).toEqual([...productTables]);
  });

  test("is refused when it is newer, in words that name both versions, and nothing is changed", async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, "database"));
    writeFileSync(join(dataDir, "database/PG_VERSION"), "18\n");
    const newerSchema = { version: "9.1.0", migrations: [...older.manifest.migrations, "9999_later"] };
    const newerForm = { version: "9.2.0", format: archiveFormat + 1 };
    for (const newer of [newerSchema, newerForm]) {
      const refusal = restore(dataDir, newer).then(String, String);
      expect(await refusal).toContain(newer.version);
      expect(await refusal).toContain(programVersion);
    }
    const unordered = restore(dataDir, { migrations: older.manifest.migrations.toReversed() });
    await expect(unordered).rejects.toThrow(/changed or damaged/);
    expect(readdirSync(dataDir)).toEqual(["database"]);
    expect(readdirSync(join(dataDir, "database"))).toEqual(["PG_VERSION"]);
  });
});

test.each([
  [1, "with 1 change of the database that"],
  [2, "with 2 changes of the database that"],
])("one of a newer version is refused with how far it is ahead (%i)", async (count, words) => {
  const known = (await readJournal(thisProgram)).map(({ tag }) => tag);
  const migrations = [...known, ...Array.from({ length: count }, (_, at) => `9999_${at}`)];
  const refused = checkSchema({ ...older.manifest, migrations, version: "9.0.0" });
  await expect(refused).rejects.toThrow(words);
});
