import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#api/config.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { stampOf } from "#api/core/stamp-of.ts";
import { swapIn } from "#api/db/complete-swap.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { syncTree } from "#api/db/embedded/sync-tree.ts";
import { applyMigrations } from "#api/db/rebuild-schema.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import { movedNoteName } from "#api/db/transfer/moved-note.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import type { Manifest } from "./archive/format.ts";
import type { OpenArchive } from "./archive/read-archive.ts";
import { checkSchema, type LoadProgress, loadBackup, orAltered } from "./load.ts";
import { refuseUnfitPostgres, restorePostgres } from "./restore-postgres.ts";
import {
  boxOf,
  boxOfText,
  includedKey,
  type KeyPlan,
  keyAtHand,
  planKey,
  putKey,
  writeKey,
} from "./restored-key.ts";
import { type EmbeddedTarget, withScratch } from "./scratch.ts";
import { type DroppedSecrets, settleRestored, type Tidied } from "./settle-restored.ts";

type RestoreInput = {
  config: Config;
  log: Log;
  clock: Clock;
  archive: OpenArchive;
  isDroppingSecrets: boolean;
  onProgress: (progress: LoadProgress) => void;
  /** Is called before anything is replaced, with the lock held: makes a backup of what a server's database holds. */
  beforeReplacing: () => Promise<string | null>;
};

/** What a restore came to. `keptAs` is where what was there before is kept; `null`: nothing was, or nowhere. */
export type RestoreReport = {
  manifest: Manifest;
  tables: LoadedTable[];
  rows: number;
  objects: number;
  ended: Tidied;
  key: KeyPlan;
  dropped: DroppedSecrets | null;
  keptAs: string | null;
};

/**
 * Puts a backup in the place of the installation, or where there is none: wholly, or not at all. The caller holds the data
 * folder. Throws `ArchiveError`, `UnusableKeyError`, `UnfitDatabaseError` and what the databases say.
 */
export const restoreBackup = async (input: RestoreInput): Promise<RestoreReport> => {
  const { config, archive, log, clock } = input;
  const { manifest } = archive;
  await checkSchema(manifest);
  const plan = planKey(manifest, keyAtHand(config), input.isDroppingSecrets);
  const fill = async (target: TransferDatabase, isInTransaction: boolean) => {
    const loaded = await loadBackup({ target, dump: archive, isInTransaction, onProgress: input.onProgress });
    const key = plan === "from-backup" ? includedKey(loaded.key) : null;
    const rest = await orAltered(async () => {
      await target.exclusively((db) => applyMigrations(db));
      const box = () => (key === null ? boxOf(config, { mayMake: plan === "drop-secrets" }) : boxOfText(key));
      const how = { manifest, plan, rows: loaded.rows, box, clock, log };
      return target.db.transaction((tx) => settleRestored(tx, how));
    });
    const { tables, rows, objects } = loaded;
    return { key, outcome: { tables, rows, objects, ...rest } };
  };
  if (config.databaseUrl === null) {
    const hadDatabase = existsSync(join(config.dataDir, "database"));
    const { outcome, keptAs } = await restoreEmbedded({ dataDir: config.dataDir, log, clock }, (handle) =>
      fill(handle, false),
    );
    return { manifest, key: plan, ...outcome, keptAs: hadDatabase ? join(config.dataDir, keptAs) : null };
  }
  await refuseUnfitPostgres(config.databaseUrl);
  const keptAs = await input.beforeReplacing();
  const { outcome, key } = await restoreOver(keptAs, config.databaseUrl, (target) => fill(target, true));
  if (key !== null) await putKey(config.dataDir, key, clock);
  return { manifest, key: plan, ...outcome, keptAs };
};

/** Removes the copy of what was there when it is there still, for certain: what ends the commit itself leaves that open. */
const restoreOver = async <T>(
  keptAs: string | null,
  url: string,
  fill: (target: TransferDatabase) => Promise<T>,
): Promise<T> => {
  let isFilled = false;
  try {
    return await restorePostgres(url, async (target) => {
      const filled = await fill(target);
      isFilled = true;
      return filled;
    });
  } catch (error) {
    if (!isFilled && keptAs !== null) await rm(keptAs, { force: true });
    throw error;
  }
};

/** What `work` leaves behind in the new database; `key`, if given, becomes the installation's. */
type Filled<T> = { outcome: T; key: string | null };

/**
 * Has `work` fill a new database beside the present one, and puts it in its place once all of it is on the disk. What
 * ends it before that leaves the present one as it was. Resolves also to the name under which that is kept.
 */
const restoreEmbedded = async <T>(
  { dataDir, log, clock }: EmbeddedTarget,
  work: (handle: DatabaseHandle) => Promise<Filled<T>>,
): Promise<{ outcome: T; keptAs: string }> => {
  const scratch = join(dataDir, scratchName);
  await rm(scratch, { recursive: true, force: true });
  try {
    const { outcome, key } = await withScratch({ dataDir: scratch, log, clock }, work);
    const time = stampOf(clock.now());
    const keptAs = `database.replaced-${time}`;
    await syncTree(join(scratch, "database"));
    const moves = [{ from: `${scratchName}/database`, to: "database", aside: keptAs }];
    // It speaks of the database that is put aside: no server would start on the restored one while it stands.
    moves.push({ from: movedNoteName, to: `${movedNoteName}.replaced-${time}`, aside: "" });
    if (key !== null) {
      await writeKey(join(scratch, "app.key"), key);
      moves.push({ from: `${scratchName}/app.key`, to: "app.key", aside: `app.key.replaced-${time}` });
    }
    await swapIn(dataDir, moves);
    return { outcome, keptAs };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const scratchName = "restore.part";
