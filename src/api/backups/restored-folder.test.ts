import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { migrate } from "#api/db/migrate.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { writeMovedNote } from "#api/db/transfer/moved-note.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openArchive } from "./archive/read-archive.ts";
import { makeBackup } from "./dump.ts";
import { restoreBackup } from "./restore-backup.ts";

setDefaultTimeout(60_000);

const log = createRecordingLog();
const scratch = makeDataFolder();
/** A backup of an installation that no one has used. */
const backup = join(scratch.path, "atrium.tar.zst");

beforeAll(async () => {
  const source = await openTestHandle();
  await migrate(source.handle);
  const objects = { get: async () => null };
  const whole = { handle: source.handle, objects, version: "1.0.0", scratch: join(scratch.path, "part") };
  const plain = { key: null, lock: null, onProgress: () => {} };
  await makeBackup({ ...whole, ...plain, clock: systemClock, log }, async (bytes) =>
    writeFileSync(backup, Buffer.concat(await Array.fromAsync(bytes))),
  );
  await source.close();
});
afterAll(() => scratch.remove());

const open = (dataDir: string) => openDatabase({ databaseUrl: null, dataDir, log, clock: systemClock });

/** Restores the backup into a folder that `prepare` has left something in, and has `look` look at what is there then. */
const restored = async (
  prepare: (dataDir: string) => unknown,
  look: (handle: DatabaseHandle, dataDir: string) => Promise<void>,
): Promise<void> => {
  const folder = makeDataFolder();
  const dataDir = folder.path;
  try {
    writeFileSync(join(dataDir, "app.key"), "a-key-for-tests-with-enough-distinct-characters-0123456789\n", {
      mode: 0o600,
    });
    await prepare(dataDir);
    await restoreBackup({
      config: readConfig({ DATA_DIR: dataDir }, false),
      log,
      clock: systemClock,
      archive: await openArchive(Bun.file(backup).stream(), { passphrase: null, identities: [] }),
      isDroppingSecrets: false,
      onProgress: () => {},
      beforeReplacing: async () => null,
    });
    const handle = await open(dataDir);
    await look(handle, dataDir).finally(handle.close);
  } finally {
    folder.remove();
  }
};

test("X14: a folder that has lost its database, which no start creates again, takes the backup that lies in it", () =>
  restored(
    async (dataDir) => {
      const aside = "database.replaced-20261121T143000Z";
      const path = join(dataDir, "backups/atrium-20261121T143000Z-0a1b2c.tar.zst");
      for (const name of ["database", "backups", aside]) mkdirSync(join(dataDir, name));
      for (const name of [path, join(dataDir, aside, "PG_VERSION")]) writeFileSync(name, "x");
      const refused = await failureOf(open(dataDir));
      expect(String(refused)).toContain(`atrium restore ${path} --yes --data-dir ${dataDir}`);
    },
    ({ check }) => check(),
  ));

test("a folder whose database was moved can be opened after a restore", () =>
  restored(
    (dataDir) => {
      const moved = { movedAt: "2026-11-21T14:30:00Z", to: "postgres://db.example/atrium" };
      writeMovedNote(dataDir, { ...moved, version: "15", rows: 1, load: "" });
    },
    async ({ check }, dataDir) => {
      await check();
      expect(readdirSync(dataDir).some((name) => /^moved-to-.*\.replaced-/.test(name))).toBeTrue();
    },
  ));

test("X7: a restored database counts as migrated and in use, so that an upgrade copies it first", () =>
  restored(
    () => {},
    async ({ db }) => {
      const pending = await db.execute(
        sql`select count(*)::int as n from drizzle.__drizzle_migrations where applied_at is null`,
      );
      expect(JSON.parse(JSON.stringify(pending))).toEqual([{ n: 0 }]);
    },
  ));
