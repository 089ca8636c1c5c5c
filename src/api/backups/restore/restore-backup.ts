import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadAppKey } from "#api/adapters/app-key.ts";
import { createSecretBox, type SecretBox } from "#api/adapters/secret-box.ts";
import type { Config } from "#api/config.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { keyComplaint } from "#api/core/key-complaint.ts";
import type { Log } from "#api/core/log.ts";
import { stampOf } from "#api/core/stamp-of.ts";
import { swapIn } from "#api/db/complete-swap.ts";
import { syncPath } from "#api/db/embedded/sync-tree.ts";
import { applyMigrations } from "#api/db/rebuild-schema.ts";
import type { LoadedTable } from "#api/db/transfer/load-tables.ts";
import type { TransferDatabase } from "#api/db/transfer/transfer-tables.ts";
import { archiveError } from "../archive/archive-error.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { OpenArchive } from "../archive/read-archive.ts";
import { recordByOperator } from "../record-by-operator.ts";
import { checkSchema, type KeyAtHand, type KeyPlan, planKey } from "./check-manifest.ts";
import { type DroppedSecrets, dropSecrets } from "./drop-secrets.ts";
import { type LoadProgress, loadArchive } from "./load-archive.ts";
import { orAltered } from "./or-altered.ts";
import { restoreEmbedded } from "./restore-embedded.ts";
import { refuseUnfitPostgres, restorePostgres } from "./restore-postgres.ts";
import { type Tidied, tidyRestored } from "./tidy-restored.ts";

export type RestoreInput = {
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
    const loaded = await loadArchive({ target, archive, isInTransaction, onProgress: input.onProgress });
    const key = plan === "from-backup" ? includedKey(loaded.key) : null;
    const rest = await orAltered(async () => {
      await target.exclusively((db) => applyMigrations(db));
      return target.db.transaction((tx) => settle(tx, { ...input, plan, key, loaded }));
    });
    const { tables, rows, objects } = loaded;
    return { key, outcome: { tables, rows, objects, ...rest } };
  };
  if (config.databaseUrl === null) {
    const hadDatabase = existsSync(join(config.dataDir, "database"));
    const { outcome, keptAs } = await restoreEmbedded(
      { dataDir: config.dataDir, log, clock },
      (handle) => fill(handle, false),
      writeKey,
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

type SettleInput = RestoreInput & { plan: KeyPlan; key: string | null; loaded: { rows: number } };

/** What has to be different in a restored installation, and the row about it. */
const settle = async (
  tx: Database,
  { config, plan, key, clock, log, archive, loaded }: SettleInput,
): Promise<{ ended: Tidied; dropped: DroppedSecrets | null }> => {
  const ended = await tidyRestored(tx);
  // Before the first start of a server there is neither a key nor a log.
  if (plan === "same" && archive.manifest.keyFingerprint === null) return { ended, dropped: null };
  const box = boxFor(config, { plan, key });
  const dropped = plan === "drop-secrets" ? await dropSecrets(tx, { box, clock, log }) : null;
  const words = [
    `Restored the backup of ${archive.manifest.createdAt} (version ${archive.manifest.version}, ${loaded.rows} rows)`,
    `${ended.sessions} sessions were ended`,
    `${ended.apiTokens} API tokens were revoked`,
    ...(dropped === null
      ? []
      : [
          `its key was lost: ${dropped.enterAgain.length} stored secrets were removed, the log is sealed anew from activity ${dropped.log.headId} on`,
        ]),
  ];
  const { keyFingerprint } = archive.manifest;
  const change =
    dropped === null
      ? {}
      : { before: { key: keyFingerprint, log: dropped.log }, after: { key: box.fingerprint } };
  const entry = { action: "Restored a backup", description: words.join("; "), ...change };
  await recordByOperator(tx, { box, clock, log, entry });
  return { ended, dropped };
};

const boxFor = (config: Config, { plan, key }: { plan: KeyPlan; key: string | null }): SecretBox => {
  if (key !== null) return createSecretBox(new TextEncoder().encode(key));
  const { root, previous } = loadAppKey(config, plan === "drop-secrets");
  return createSecretBox(root, previous);
};

/** The key that a start would use, without making one. */
export const keyAtHand = (config: Config): KeyAtHand => {
  const isFile = config.appSecret === null;
  if (isFile && !existsSync(join(config.dataDir, "app.key"))) return { source: "none", fingerprints: [] };
  const { root, previous } = loadAppKey(config, false);
  const { fingerprint, previousFingerprint } = createSecretBox(root, previous);
  return {
    source: isFile ? "file" : "environment",
    fingerprints: previousFingerprint === null ? [fingerprint] : [fingerprint, previousFingerprint],
  };
};

const includedKey = (key: string | null): string => {
  if (key === null || keyComplaint(key) !== null) throw archiveError("altered");
  return key;
};

const writeKey = async (path: string, key: string): Promise<void> => {
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  await syncPath(path);
};

/** Puts the key into its file; a former one stays beside it. */
const putKey = async (dataDir: string, key: string, clock: Clock): Promise<void> => {
  const time = stampOf(clock.now());
  await writeKey(join(dataDir, "app.key.restored"), key);
  await swapIn(dataDir, [{ from: "app.key.restored", to: "app.key", aside: `app.key.replaced-${time}` }]);
};
