import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import { sequencesPart } from "#api/db/transfer/transfer-tables.ts";
import { type DumpEntry, entryPlace, type Manifest } from "./archive/format.ts";
import type { OpenArchive } from "./archive/read-archive.ts";
import { checkSchema, type LoadProgress, loadBackup } from "./load.ts";
import { type ProvenLog, proveLog, provingText } from "./prove-log.ts";
import { boxOfText } from "./restored-key.ts";
import { trialPrefix, withScratch } from "./scratch.ts";

type VerifyBackupInput = {
  archive: OpenArchive;
  /** A folder with room for the database that is made and removed again. */
  roomIn: string;
  /** The key that a start here would use, if it is the backup's. */
  box: SecretBox | null;
  log: Log;
  clock: Clock;
  onProgress: (progress: LoadProgress) => void;
};

/** What a trial restore found. `differing` are tables that came out otherwise than they went in. */
export type VerifyReport = {
  manifest: Manifest;
  tables: LoadedTable[];
  rows: number;
  objects: number;
  differing: string[];
  log: ProvenLog;
  isSound: boolean;
};

/**
 * Restores a backup into a database that is thrown away: every checksum, the number of rows and the rows themselves, and the
 * chain of the activity log. Changes nothing. Throws an `ArchiveError` for what does not get that far.
 */
export const verifyBackup = async ({
  archive,
  roomIn,
  ...input
}: VerifyBackupInput): Promise<VerifyReport> => {
  await checkSchema(archive.manifest);
  const scratch = await mkdtemp(join(roomIn, trialPrefix));
  try {
    return await withScratch({ dataDir: scratch, log: input.log, clock: input.clock }, async (handle) => {
      const sums: RowSums = {};
      const { tables, rows, objects, readBytes, key } = await loadBackup({
        target: handle,
        dump: { manifest: archive.manifest, entries: summed(archive.entries, sums) },
        onProgress: input.onProgress,
      });
      const differing = await compare(handle, sums, objects);
      const included = key === null ? null : boxOfText(key);
      const log = await proveLog(handle.db, {
        ...input,
        box: input.box ?? included,
        onProgress: (checked) => input.onProgress({ table: "", rows, readBytes, step: provingText(checked) }),
      });
      const isSound = differing.length === 0 && log.fault === null;
      return { manifest: archive.manifest, tables, rows, objects, differing, log, isSound };
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

/** A number for each table that follows from its rows, in whichever order they come. */
type RowSums = Record<string, bigint>;

/** The entries as they come; `sums` has those of their rows once all have come. */
async function* summed(entries: AsyncIterable<DumpEntry>, sums: RowSums): AsyncGenerator<DumpEntry> {
  for await (const entry of entries) {
    const place = entryPlace(entry.name);
    if (place?.kind === "part") addRows(sums, { ...place, bytes: entry.bytes });
    yield entry;
  }
}

/** The tables whose rows are others than those that were loaded. What came home from a bucket is checked by its digest. */
const compare = async (handle: DatabaseHandle, sums: RowSums, objects: number): Promise<string[]> => {
  const found: RowSums = {};
  for await (const part of dumpTables(handle)) addRows(found, part);
  const changed = objects > 0 ? ["stored_objects", "stored_object_parts"] : [];
  // The log's end notes which transaction wrote it, which is never the same twice.
  const skipped = new Set(["activity_chain", ...changed]);
  return Object.keys({ ...sums, ...found })
    .filter((table) => !skipped.has(table) && table !== sequencesPart)
    .filter((table) => (sums[table] ?? 0n) !== (found[table] ?? 0n));
};

/** Adds the 64-bit hash of each line. */
const addRows = (sums: RowSums, { table, bytes: lines }: { table: string; bytes: Uint8Array }): void => {
  let sum = sums[table] ?? 0n;
  for (let start = 0; start < lines.byteLength; ) {
    const found = lines.indexOf(lineFeed, start);
    const end = found === -1 ? lines.byteLength : found;
    sum += Bun.hash.wyhash(lines.subarray(start, end));
    start = end + 1;
  }
  sums[table] = sum;
};

const lineFeed = 10;
