import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadAppKey } from "#api/adapters/app-key.ts";
import { createBackupFolder } from "#api/adapters/backup-folder.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Config } from "#api/config.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { makeUsable } from "#api/db/embedded/usable-folder.ts";
import { refuseOthersFolder } from "#api/db/folder-owner.ts";
import { holdDataFolder } from "#api/db/hold-data-folder.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { hasInstallation } from "#api/db/rebuild-schema.ts";
import { findSchedule } from "#api/modules/backups/index.ts";
import { findBucket } from "#api/modules/settings/index.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { decrypted, encrypted, type Keys, newIdentity } from "./archive/age.ts";
import type { Checksums, Manifest } from "./archive/manifest.ts";
import { openArchive } from "./archive/open-archive.ts";
import { backupName } from "./backup-names.ts";
import { makeBackup } from "./make-backup.ts";
import { openStored } from "./open-stored.ts";
import { checkSchema, type KeyPlan, planKey } from "./restore/check-manifest.ts";
import type { LoadProgress } from "./restore/load-archive.ts";
import { keyAtHand, type RestoreReport, restoreBackup } from "./restore/restore-backup.ts";
import { postgresComplaint } from "./restore/restore-postgres.ts";
import { demandRoom, roomComplaint } from "./restore/scratch-room.ts";
import { sweepTrials } from "./restore/sweep-trials.ts";
import { type VerifyReport, verifyBackup } from "./restore/verify-backup.ts";

export type { LoadProgress } from "./restore/load-archive.ts";
export type { RestoreReport } from "./restore/restore-backup.ts";
export type { VerifyReport } from "./restore/verify-backup.ts";

/** A backup as it comes, and what may open it. */
export type BackupInput = Keys & {
  bytes: AsyncIterable<Uint8Array>;
  /** The same bytes once more, where they can be had twice: they are proven then before anything is done with them. */
  again?: () => AsyncIterable<Uint8Array>;
  onProgress: (progress: LoadProgress) => void;
};

/** What a backup holds, and what a restore here would do about its key; `complaint`: why it would refuse. */
export type BackupPlan = {
  manifest: Manifest;
  rows: Checksums["rows"];
  objects: number;
  key: KeyPlan | null;
  complaint: string | null;
};

/** What the operator does with backups while no server runs. */
export type OperatorBackups = {
  /** Reads a backup to its end, and changes nothing. */
  plan(input: BackupInput & { isDroppingSecrets?: boolean }): Promise<BackupPlan>;
  verify(input: BackupInput): Promise<VerifyReport>;
  /**
   * `isReplacing`: what a PostgreSQL server's database holds is not backed up first. `sizeBytes` is the backup's size, if
   * that is known: throws `STORAGE_FULL` where not even that much room is left.
   */
  restore(
    input: BackupInput & { isDroppingSecrets: boolean; isReplacing: boolean; sizeBytes?: number | null },
  ): Promise<RestoreReport>;
  /**
   * A backup of object storage by its name: in the bucket of the settings, or in `bucket` where there are none. Nothing of
   * the database stays open. Throws `CONFLICT` without a bucket, `NOT_FOUND`, `STORAGE_UNAVAILABLE`, `DataFolderInUseError`.
   */
  stored(name: string, bucket: BucketTarget | null): Promise<AsyncIterable<Uint8Array>>;
  /** A pair of keys that is kept nowhere. */
  newIdentity(): Promise<{ identity: string; recipient: string }>;
  /** The same bytes for whoever knows the passphrase, in the place of those for an identity. */
  relock(
    bytes: AsyncIterable<Uint8Array>,
    input: { identity: string; passphrase: string },
  ): Promise<AsyncIterable<Uint8Array>>;
};

type Parts = { config: Config; log: Log; clock: Clock; version: string };

/** Makes them for a configuration; nothing is opened before it is asked for. */
export const createOperatorBackups = (parts: Parts): OperatorBackups => {
  const { config, log, clock } = parts;
  const open = async ({ bytes, ...keys }: BackupInput) => openArchive(bytes, keys);
  const prove = async ({ again, ...keys }: BackupInput): Promise<void> => {
    if (again === undefined) return;
    const { entries } = await openArchive(again(), keys);
    for await (const _ of entries);
  };

  return {
    plan: async ({ isDroppingSecrets = false, ...input }) => {
      const archive = await open(input);
      let objects = 0;
      let sizeBytes = 0;
      for await (const { name, bytes } of archive.entries) {
        sizeBytes += bytes.byteLength;
        if (name.startsWith("objects/")) objects += 1;
      }
      const { manifest } = archive;
      const verdict = await verdictOn(config, { manifest, sizeBytes, isDroppingSecrets });
      return { manifest, rows: archive.checksums().rows, objects, ...verdict };
    },
    verify: async (input) => {
      refuseOthersFolder(config.dataDir);
      const archive = await open(input);
      const { keyFingerprint } = archive.manifest;
      const at = keyAtHand(config);
      const isOurs = keyFingerprint !== null && at.fingerprints.includes(keyFingerprint);
      makeUsable(config.dataDir);
      await sweepTrials(config.dataDir, clock.now().getTime());
      return verifyBackup({
        ...input,
        archive,
        log,
        clock,
        roomIn: config.dataDir,
        box: isOurs ? boxOf(config) : null,
      });
    },
    restore: async ({ isDroppingSecrets, isReplacing, sizeBytes = null, ...input }) => {
      refuseOthersFolder(config.dataDir);
      if (config.databaseUrl === null) await demandRoom(config.dataDir, sizeBytes ?? 0);
      const archive = await open(input);
      await holdDataFolder(config.dataDir);
      return restoreBackup({
        ...input,
        config,
        log,
        clock,
        archive,
        isDroppingSecrets,
        beforeReplacing: async () => {
          await prove(input);
          return isReplacing ? null : keepFormer(parts);
        },
      });
    },
    stored: async (name, given) => {
      const target = given ?? (await bucketOf(parts));
      if (target === null) throw new AppError("CONFLICT", backupTexts.noBucket);
      // What the operator types is not what a stranger may have put into the settings.
      const otherOrigins = given === null ? config.s3Endpoints : [given.endpoint];
      return (await openStored(target, { name, otherOrigins })).bytes;
    },
    newIdentity,
    relock: async (bytes, { identity, passphrase }) =>
      encrypted(await decrypted(bytes, { passphrase: null, identities: [identity] }), { passphrase }),
  };
};

/** What is to be restored; `sizeBytes` is what it holds, unpacked. */
type Planned = { manifest: Manifest; sizeBytes: number; isDroppingSecrets: boolean };

const verdictOn = async (
  config: Config,
  { manifest, sizeBytes, isDroppingSecrets }: Planned,
): Promise<Pick<BackupPlan, "key" | "complaint">> => {
  try {
    await checkSchema(manifest);
    refuseOthersFolder(config.dataDir);
    const key = planKey(manifest, keyAtHand(config), isDroppingSecrets);
    const complaint =
      config.databaseUrl === null
        ? await roomComplaint(config.dataDir, sizeBytes)
        : await postgresComplaint(config.databaseUrl);
    return { key, complaint };
  } catch (error) {
    return { key: null, complaint: error instanceof Error ? error.message : String(error) };
  }
};

const boxOf = (config: Config) => {
  const { root, previous } = loadAppKey(config, false);
  return createSecretBox(root, previous);
};

/** The bucket of the settings; `null` where there is none, or no installation. */
const bucketOf = async ({ config, log, clock }: Parts): Promise<BucketTarget | null> => {
  const { databaseUrl, dataDir, s3Endpoints } = config;
  if (databaseUrl === null && !existsSync(join(dataDir, "database"))) return null;
  const handle = await openDatabase({ databaseUrl, dataDir, log, clock });
  try {
    await handle.check();
    return await findBucket(handle.db, { box: boxOf(config), s3Endpoints });
  } finally {
    await handle.close();
  }
};

/** A backup of what a server's database holds now; `null` when that is nothing. */
const keepFormer = async ({ config, log, clock, version }: Parts): Promise<string | null> => {
  const { databaseUrl, dataDir } = config;
  const handle = await openDatabase({ databaseUrl, dataDir, log, clock });
  try {
    await handle.check();
    if (!(await hasInstallation(handle.db))) return null;
    const folder = createBackupFolder(join(dataDir, "backups"));
    // Whoever may not read what the schedule makes may not read this either.
    const { recipients } = await findSchedule(handle.db);
    const lock = recipients.length === 0 ? null : { recipients };
    const name = backupName(clock.now(), { reason: "before-restore", isEncrypted: lock !== null });
    // What lies in a bucket stays there: the catalogue goes on naming it.
    const objects = { get: async () => null };
    const scratch = join(dataDir, "backup.part");
    const options = {
      handle,
      objects,
      clock,
      log,
      version,
      scratch,
      key: null,
      lock,
      onProgress: () => {},
    };
    await makeBackup(options, (bytes) => folder.write(name, bytes));
    return join(folder.path, name);
  } finally {
    await handle.close();
  }
};
