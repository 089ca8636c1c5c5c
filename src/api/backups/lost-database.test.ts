import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#api/config.ts";
import { systemClock } from "#api/core/clock.ts";
import { migrate } from "#api/db/migrate.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { openTestHandle } from "#api/testing/database-handle.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { openArchive } from "./archive/open-archive.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore/restore-backup.ts";

const log = createRecordingLog();

/** A backup of an installation that nobody has used. */
const backupIn = async (scratch: string): Promise<Uint8Array> => {
  const source = await openTestHandle();
  try {
    await migrate(source.handle);
    const whole = { handle: source.handle, objects: { get: async () => null }, version: "1.0.0", scratch };
    const plain = { key: null, lock: null, onProgress: () => {} };
    return await makeBackup({ ...whole, ...plain, clock: systemClock, log }, async (bytes) =>
      Buffer.concat(await Array.fromAsync(bytes)),
    );
  } finally {
    await source.close();
  }
};

const secret = "a-key-for-tests-with-enough-distinct-characters-0123456789";

test("X14: a folder that has lost its database, which no start makes anew, takes the backup that lies in it", async () => {
  const folder = makeDataFolder();
  const [dataDir, aside] = [folder.path, "database.replaced-20261121T143000Z"];
  const path = join(dataDir, "backups/atrium-20261121T143000Z-0a1b2c.tar.zst");
  const open = () => openDatabase({ databaseUrl: null, dataDir, log, clock: systemClock });
  try {
    for (const name of ["database", "backups", aside]) mkdirSync(join(dataDir, name));
    writeFileSync(join(dataDir, "app.key"), `${secret}\n`, { mode: 0o600 });
    writeFileSync(join(dataDir, aside, "PG_VERSION"), "18\n");
    writeFileSync(path, await backupIn(join(dataDir, "backup.part")));
    expect(String(await failureOf(open()))).toContain(`atrium restore ${path} --yes --data-dir ${dataDir}`);
    await restoreBackup({
      config: readConfig({ DATA_DIR: dataDir }, false),
      log,
      clock: systemClock,
      archive: await openArchive(Bun.file(path).stream(), { passphrase: null, identities: [] }),
      isDroppingSecrets: false,
      onProgress: () => {},
      beforeReplacing: async () => null,
    });
    const database = await open();
    await database.check();
    await database.close();
  } finally {
    folder.remove();
  }
}, 60_000);
