import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { digestOf } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import { programVersion } from "#api/core/program-version.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { keyFingerprintOf } from "#api/db/key-check.ts";
import { isOwnMigration, migrationStatus } from "#api/db/migrate.ts";
import { readApplied } from "#api/db/migration-journal.ts";
import { openDatabase } from "#api/db/open-database.ts";
import type { Snapshots } from "#api/db/snapshots/create-snapshots.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import { type TransferDatabase, transferTables } from "#api/db/transfer/transfer-tables.ts";
import { encrypted, type Lock } from "./archive/age.ts";
import {
  archiveFormat,
  type Dump,
  type DumpEntry,
  elsewhereIn,
  entryNames,
  entryPlace,
  type Manifest,
  type StoredElsewhere,
} from "./archive/format.ts";
import { writeArchive } from "./archive/write-archive.ts";
import { isDiskFull } from "./scratch.ts";

/** How far a backup has come. */
type BackupProgress = { table: string | null; rows: number; readBytes: number };

type DumpInput = {
  handle: DatabaseHandle;
  /** Where copies in buckets are read; without it they stay there, and the catalogue continues naming them. */
  objects?: Pick<ObjectStore, "get">;
  clock: Clock;
  /** The key's text, if it is to go along. */
  key: string | null;
};

type MakeBackupInput = DumpInput & {
  log: Log;
  /** A folder that is not there yet: for the copy of the embedded database, which is gone afterwards. */
  scratch: string;
  /** `null` leaves the backup in the open, which it may not be with a key. */
  lock: Lock | null;
  onProgress: (progress: BackupProgress) => void;
};

/**
 * The bytes of a backup of everything that was committed before. The server continues meanwhile: PostgreSQL keeps one moment,
 * and of the embedded database a copy is opened in a process of its own. What `take` throws ends it; nothing is left. Throws
 * `STORAGE_FULL` where the copy would leave too little room.
 */
export const makeBackup = async <T>(
  input: MakeBackupInput,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> => {
  if (input.key !== null && input.lock === null)
    throw new AppError("INTERNAL", undefined, { cause: "a key must not be stored unencrypted" });
  return withSource(input, async (source) => {
    const dump = await dumpInstallation(input, source);
    const progress: BackupProgress = { table: null, rows: 0, readBytes: 0 };
    const bytes = writeArchive(dump, ({ name, bytes: read, rows = 0 }) => {
      const place = entryPlace(name);
      if (place?.kind === "part") {
        progress.table = place.table;
        // What else is in the archive, such as where numbering continues, is no row of the installation's.
        progress.rows += dump.manifest.tables.includes(place.table) ? rows : 0;
      }
      progress.readBytes += read.byteLength;
      input.onProgress({ ...progress });
    });
    try {
      return await take(input.lock === null ? bytes : await encrypted(bytes, input.lock));
    } finally {
      // Who refuses the bytes leaves them where they are, and what they are read from with them.
      await bytes.return(undefined);
    }
  });
};

/** Opens what can be read for long without anyone waiting for it. */
const withSource = async <T>(
  { handle, scratch, log, clock }: MakeBackupInput,
  work: (source: TransferDatabase) => Promise<T>,
): Promise<T> => {
  if (handle.snapshots === null) return work(handle);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  try {
    const copy = await openCopy(handle.snapshots, { scratch, log, clock });
    try {
      return await work(copy);
    } finally {
      await copy.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const openCopy = async (
  snapshots: Snapshots,
  { scratch, log, clock }: Pick<MakeBackupInput, "scratch" | "log" | "clock">,
): Promise<DatabaseHandle> => {
  try {
    await snapshots.copyCluster(join(scratch, "database"));
    return await openDatabase({ databaseUrl: null, dataDir: scratch, log, clock, isOffline: true });
  } catch (error) {
    if (error instanceof AppError || !(await isDiskFull(error, scratch))) throw error;
    throw new AppError("STORAGE_FULL", undefined, { cause: error });
  }
};

/**
 * Everything in an installation: rows, copies in buckets, the key if that is to go along. `source` is what is read, a copy of
 * its database or that itself; no one may write to an embedded one meanwhile.
 */
export const dumpInstallation = async (
  input: DumpInput,
  source: TransferDatabase = input.handle,
): Promise<Dump> => ({
  manifest: await manifestOf(input, source),
  entries: entriesOf(input, source),
});

const manifestOf = async ({ handle, clock, key }: DumpInput, source: TransferDatabase): Promise<Manifest> => {
  const [tables, migrations, ownMigrations, about, keyFingerprint] = [
    await transferTables(source.db),
    await migrationStatus(handle),
    await readApplied(source.db, "own"),
    await handle.describe(),
    await keyFingerprintOf(source.db),
  ];
  return {
    format: archiveFormat,
    version: programVersion,
    createdAt: clock.now().toISOString(),
    database: { kind: handle.kind, version: about.version },
    migrations: migrations.flatMap(({ name, appliedAt }) =>
      appliedAt === null || isOwnMigration(name) ? [] : [name],
    ),
    ownMigrations: ownMigrations.map(({ when }) => String(when)).sort(),
    keyFingerprint,
    hasKey: key !== null,
    tables: tables.map(({ name }) => name),
  };
};

async function* entriesOf(
  { key: ownKey, objects }: DumpInput,
  source: TransferDatabase,
): AsyncGenerator<DumpEntry> {
  if (ownKey !== null) yield { name: entryNames.key, bytes: new TextEncoder().encode(`${ownKey}\n`) };
  const elsewhere: StoredElsewhere[] = [];
  for await (const part of dumpTables(source)) {
    if (part.table === "stored_objects") elsewhere.push(...elsewhereIn(part.bytes));
    yield {
      name: `${entryNames.tables}${part.table}/${part.part}.ndjson`,
      bytes: part.bytes,
      rows: part.rows,
    };
  }
  if (objects === undefined) return;
  for (const { key, version, digest } of elsewhere) {
    const bytes = await objects.get(key);
    // Removed or replaced since: the restored catalogue will do without it.
    if (bytes === null || digestOf(bytes) !== digest) continue;
    yield { name: `${entryNames.objects}${version}`, bytes };
  }
}
