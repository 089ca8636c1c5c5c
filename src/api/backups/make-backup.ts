import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { digestOf } from "#api/core/digest-of.ts";
import type { Log } from "#api/core/log.ts";
import type { ObjectStore } from "#api/core/objects.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { keyFingerprintOf } from "#api/db/key-check.ts";
import { migrationStatus } from "#api/db/migrate.ts";
import { openDatabase } from "#api/db/open-database.ts";
import type { Snapshots } from "#api/db/snapshots/create-snapshots.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import { type TablePart, type TransferDatabase, transferTables } from "#api/db/transfer/transfer-tables.ts";
import { encrypted, type Lock } from "./archive/age.ts";
import { archiveFormat, entryNames, type Manifest } from "./archive/manifest.ts";
import { type ArchiveEntry, writeArchive } from "./archive/write-archive.ts";
import { isDiskFull } from "./restore/scratch-room.ts";

/** How far a backup has come. */
export type BackupProgress = { table: string | null; rows: number; readBytes: number };

export type MakeBackupInput = {
  handle: DatabaseHandle;
  objects: Pick<ObjectStore, "get">;
  clock: Clock;
  log: Log;
  /** Of the product. */
  version: string;
  /** A folder that is not there yet: for the copy of the embedded database, which is gone afterwards. */
  scratch: string;
  /** The key's text, if it is to go along; then `lock` must be given. */
  key: string | null;
  /** `null` leaves the backup in the open. */
  lock: Lock | null;
  onProgress: (progress: BackupProgress) => void;
};

/**
 * The bytes of a backup of everything that was committed before. The server goes on meanwhile: PostgreSQL keeps one moment,
 * and of the embedded database a copy is opened in a process of its own. What `take` throws ends it; nothing is left. Throws
 * `STORAGE_FULL` where the copy would leave too little room.
 */
export const makeBackup = async <T>(
  input: MakeBackupInput,
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> => {
  if (input.key !== null && input.lock === null)
    throw new AppError("INTERNAL", undefined, { cause: "a key must not lie in the open" });
  return withSource(input, async (source) => {
    const manifest = await manifestOf(input, source);
    const progress: BackupProgress = { table: null, rows: 0, readBytes: 0 };
    const bytes = writeArchive(
      { manifest, entries: entriesOf(input, source) },
      ({ bytes: read, table = progress.table, rows = 0 }) => {
        Object.assign(progress, {
          table,
          // What else is in the archive, such as where numbering goes on, is no row of the installation's.
          rows: progress.rows + (manifest.tables.includes(table ?? "") ? rows : 0),
          readBytes: progress.readBytes + read.byteLength,
        });
        input.onProgress({ ...progress });
      },
    );
    try {
      return await take(input.lock === null ? bytes : await encrypted(bytes, input.lock));
    } finally {
      // Who refuses the bytes leaves them where they are, and what they are read from with them.
      await bytes.return(undefined);
    }
  });
};

/** Opens what can be read for long without anybody waiting for it. */
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

const manifestOf = async (
  { handle, clock, version, key }: MakeBackupInput,
  source: TransferDatabase,
): Promise<Manifest> => {
  const [tables, migrations, about, keyFingerprint] = [
    await transferTables(source.db),
    await migrationStatus(handle),
    await handle.describe(),
    await keyFingerprintOf(source.db),
  ];
  return {
    format: archiveFormat,
    version,
    createdAt: clock.now().toISOString(),
    database: { kind: handle.kind, version: about.version },
    migrations: migrations.flatMap(({ name, appliedAt }) => (appliedAt === null ? [] : [name])),
    keyFingerprint,
    hasKey: key !== null,
    tables: tables.map(({ name }) => name),
  };
};

async function* entriesOf(input: MakeBackupInput, source: TransferDatabase): AsyncGenerator<ArchiveEntry> {
  if (input.key !== null) yield { name: entryNames.key, bytes: new TextEncoder().encode(`${input.key}\n`) };
  const elsewhere: StoredElsewhere[] = [];
  for await (const part of dumpTables(source)) {
    if (part.table === "stored_objects") elsewhere.push(...elsewhereIn(part));
    yield {
      name: `${entryNames.tables}${part.table}/${part.part}.ndjson`,
      bytes: part.bytes,
      table: part.table,
      rows: part.rows,
    };
  }
  for (const { key, version, digest } of elsewhere) {
    const bytes = await input.objects.get(key);
    // Removed or replaced since: the restored catalogue will do without it.
    if (bytes === null || digestOf(bytes) !== digest) continue;
    yield { name: `${entryNames.objects}${version}`, bytes };
  }
}

/** An object whose content lies in a bucket. */
type StoredElsewhere = { key: string; version: string; digest: string };

const elsewhereIn = ({ bytes }: TablePart): StoredElsewhere[] =>
  new TextDecoder()
    .decode(bytes)
    .split("\n")
    .flatMap((line) => {
      if (line === "") return [];
      const row: StoredElsewhere & { bucket: string | null } = JSON.parse(line);
      return row.bucket === null ? [] : [row];
    });
