import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createSecretBox, type SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { OpenArchive } from "../archive/read-archive.ts";
import { checkSchema } from "./check-manifest.ts";
import { type Loaded, type LoadProgress, loadArchive } from "./load-archive.ts";
import { type ProvenLog, proveLog } from "./prove-log.ts";
import { withScratch } from "./restore-embedded.ts";
import { sumsOf } from "./row-sums.ts";
import { trialPrefix } from "./sweep-trials.ts";

export type VerifyBackupInput = {
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
      const loaded = await loadArchive({
        target: handle,
        archive,
        isInTransaction: false,
        onProgress: input.onProgress,
      });
      const differing = await compare(handle, loaded);
      const { tables, rows, objects, readBytes } = loaded;
      const included = loaded.key === null ? null : createSecretBox(new TextEncoder().encode(loaded.key));
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

const provingText = (checked: number): string => `proving the activity log (${checked} activities)`;

/** The tables whose rows are others than those that were loaded. What came home from a bucket is checked by its digest. */
const compare = async (handle: DatabaseHandle, { sums, objects }: Loaded): Promise<string[]> => {
  const found = await sumsOf(handle);
  const changed = objects > 0 ? ["stored_objects", "stored_object_parts"] : [];
  // The log's end notes which transaction wrote it, which is never the same twice.
  const skipped = new Set(["activity_chain", ...changed]);
  return Object.keys({ ...sums, ...found })
    .filter((table) => !skipped.has(table) && /^\w+$/.test(table))
    .filter((table) => (sums[table] ?? 0n) !== (found[table] ?? 0n));
};
