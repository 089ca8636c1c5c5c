import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { silentEvents } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { dumpTables } from "#api/db/transfer/dump-tables.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import { sequencesPart } from "#api/db/transfer/transfer-tables.ts";
import { createActivityWriter, verifyActivity } from "#api/modules/activity/index.ts";
import { type DumpEntry, entryPlace, type Manifest } from "./archive/format.ts";
import type { OpenArchive } from "./archive/read-archive.ts";
import { checkSchema, type LoadProgress, loadBackup } from "./load.ts";
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

/** What the proof works with. `onProgress` hears how many activities of how many are proven; what it throws ends the proof. */
export type LogProofParts = {
  box: SecretBox | null;
  clock: Clock;
  log: Log;
  onProgress?: (checked: number, total: number) => void;
};

/** Of the activity log: how many rows were proven, the first fault, and whether its seal could be checked too. */
type ProvenLog = { checked: number; fault: string | null; isSealChecked: boolean };

/** What is told of a proof under way. */
export const provingText = (checked: number): string => `verifying the activity log (${checked} activities)`;

const sliceRows = 20_000;

/**
 * Proves the log of data that was brought into a database, from its first row to its end. What waits to be appended to it is
 * appended, as every start does. Without the key (`box`) all but its seal is proven, and nothing appended.
 */
export const proveLog = async (
  db: Database,
  { box, clock, log, onProgress = () => {} }: LogProofParts,
): Promise<ProvenLog> => {
  const secrets = box ?? createSecretBox(crypto.getRandomValues(new Uint8Array(32)));
  const { recorder, stop } = createActivityWriter({ db, clock, log, box: secrets, events: silentEvents });
  // What waits for its place was sealed under the key: without it nothing may be appended.
  const activity = box === null ? { ...recorder, settle: async () => {} } : recorder;
  const ctx = { actor: { kind: "operator" as const }, db, secrets, activity };
  try {
    let checked = 0;
    for (let after = 0; ; ) {
      const proven = await verifyActivity(ctx, { after, limit: sliceRows });
      checked += proven.checked;
      const isToTheEnd =
        proven.isComplete && proven.through === proven.head.id && proven.throughHash === proven.head.hash;
      // Behind the rows come the seal and what hangs on it.
      const fault = box === null && isToTheEnd ? null : proven.fault;
      if (fault === null) onProgress(checked, proven.head.id - proven.anchor.id);
      if (fault !== null || proven.isComplete)
        return { checked, fault: fault?.problem ?? null, isSealChecked: box !== null };
      after = proven.through;
    }
  } finally {
    // Its last round would append as well.
    if (box !== null) await stop();
  }
};
