import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Config } from "#api/config.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database, DatabasePool } from "#api/core/database.ts";
import { stampOf } from "#api/core/ids.ts";
import type { Log } from "#api/core/log.ts";
import { swapIn } from "#api/db/complete-swap.ts";
import { refuseOthersFolder } from "#api/db/data-folder.ts";
import type { DatabaseHandle } from "#api/db/database-handle.ts";
import { UnfitDatabaseError } from "#api/db/embedded/errors.ts";
import { syncTree } from "#api/db/embedded/free-space.ts";
import { databaseError } from "#api/db/errors.ts";
import { refuseNewer } from "#api/db/migrate.ts";
import { refusedStart } from "#api/db/postgres/refused-start.ts";
import { applyMigrations, hasInstallation } from "#api/db/rebuild-schema.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import { movedNoteName } from "#api/db/transfer/moved-note.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import type { Manifest } from "./archive/format.ts";
import type { OpenArchive } from "./archive/read-archive.ts";
import { checkSchema, type LoadProgress, loadBackup, orAltered } from "./load.ts";
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
import { type EmbeddedTarget, roomComplaint, withScratch } from "./scratch.ts";
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
  const plan = await checkBackup(input, manifest);
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

/** By which key the backup is to live here. Throws for one that is not to be restored here, whatever lies there. */
const checkBackup = async (
  { config, isDroppingSecrets }: Pick<RestoreInput, "config" | "isDroppingSecrets">,
  manifest: Manifest,
): Promise<KeyPlan> => {
  await checkSchema(manifest);
  refuseOthersFolder(config.dataDir);
  return planKey(manifest, keyAtHand(config), isDroppingSecrets);
};

/**
 * What a restore would do about the key, and `complaint`, why it would refuse. `isReplacing`: whether something lies there
 * that it would replace, `null` where that cannot be seen.
 */
export type RestoreVerdict = { key: KeyPlan | null; complaint: string | null; isReplacing: boolean | null };

/** What would come of restoring a backup that holds so many bytes, unpacked. Changes nothing. */
export const lookAtRestore = async ({
  config,
  manifest,
  sizeBytes,
  isDroppingSecrets,
}: {
  config: Config;
  manifest: Manifest;
  sizeBytes: number;
  isDroppingSecrets: boolean;
}): Promise<RestoreVerdict> => {
  const { databaseUrl, dataDir } = config;
  const isReplacing = databaseUrl === null ? existsSync(join(dataDir, "database")) : null;
  try {
    const key = await checkBackup({ config, isDroppingSecrets }, manifest);
    if (databaseUrl === null) return { key, complaint: await roomComplaint(dataDir, sizeBytes), isReplacing };
    return { key, ...(await lookAtPostgres(databaseUrl)) };
  } catch (error) {
    return { key: null, complaint: error instanceof Error ? error.message : String(error), isReplacing };
  }
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

/**
 * Has `work` fill the database of a PostgreSQL server in one transaction: what ends it leaves everything as it was. Throws
 * `CONFLICT` while servers of Atrium are connected.
 */
const restorePostgres = async <T>(
  url: string,
  work: (target: TransferDatabase) => Promise<T>,
): Promise<T> => {
  const client = connect(url);
  try {
    const db = drizzle(client);
    return await db.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.execute(sql`set local statement_timeout = 0`);
      await refuseServers(tx);
      const pool = asPool(tx);
      return work({ db: tx, kind: "postgres", exclusively: (inner) => inner(pool) });
    });
  } finally {
    await client.end({ timeout: 2 });
  }
};

/**
 * Throws `CONFLICT` while servers of Atrium are connected to this database, an `UnfitDatabaseError` where a newer version has
 * changed it, of whose tables this one could not clear it, and what says that it cannot be used.
 */
const refuseUnfitPostgres = async (url: string): Promise<void> => {
  try {
    await examine(url);
  } catch (error) {
    throw databaseError(error) ?? refusedStart(error, url) ?? error;
  }
};

/**
 * Why {@link refuseUnfitPostgres} would throw, `null` when it would not; and whether an installation lies there, which a
 * restore replaces, `null` where that cannot be seen.
 */
const lookAtPostgres = async (
  url: string,
): Promise<{ complaint: string | null; isReplacing: boolean | null }> => {
  try {
    return { complaint: null, isReplacing: await examine(url) };
  } catch (error) {
    const isRefused = error instanceof AppError || error instanceof UnfitDatabaseError;
    const complaint = isRefused ? error.message : `DATABASE_URL can't be used: ${reasonOf(error)}`;
    return { complaint, isReplacing: null };
  }
};

/** Whether there is an installation. Throws what stands against a restore. */
const examine = async (url: string): Promise<boolean> => {
  const client = connect(url);
  try {
    const db = drizzle(client);
    await refuseServers(db);
    await refuseNewer({ db, snapshots: null });
    return await hasInstallation(db);
  } finally {
    await client.end({ timeout: 2 });
  }
};

/** A failed query's own message is the query; what ended it is behind. */
const reasonOf = (error: unknown): string => {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
};

const connect = (url: string) =>
  postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: "atrium restore", jit: "off" },
  });

/** Other machines' servers hold no lock here; each has connections under the product's name. */
const refuseServers = async (db: Database): Promise<void> => {
  const [others] = await db.execute<{ connections: number }>(sql`
    select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name = 'atrium' and pid <> pg_backend_pid()`);
  const connections = others?.connections ?? 0;
  if (connections === 0) return;
  throw new AppError(
    "CONFLICT",
    `Servers of Atrium are connected to this database (${connections} connections); stop all of them first`,
  );
};

/**
 * A transaction where a pool is asked for: transactions within it become savepoints, and that is all that is done with it
 * here. The driver's types tell the two apart, their methods do not.
 */
const asPool = (tx: Database): DatabasePool => tx as DatabasePool;
