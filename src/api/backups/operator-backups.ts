import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#api/config.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { holdDataFolder, refuseOthersFolder, removeUnused } from "#api/db/data-folder.ts";
import { makeUsable } from "#api/db/embedded/errors.ts";
import { openDatabase } from "#api/db/open-database.ts";
import { hasInstallation } from "#api/db/rebuild-schema.ts";
import { findSchedule } from "#api/modules/backups/index.ts";
import { findBucket } from "#api/modules/settings/index.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { decrypted, encrypted, type Keys, newIdentity } from "./archive/age.ts";
import { type Checksums, entryPlace, type Manifest } from "./archive/format.ts";
import { type OpenArchive, openArchive } from "./archive/read-archive.ts";
import { backupName, createBackupFolder, openStored } from "./backup-folder.ts";
import { makeBackup } from "./dump.ts";
import type { LoadProgress } from "./load.ts";
import { lookAtRestore, type RestoreReport, type RestoreVerdict, restoreBackup } from "./restore-backup.ts";
import { boxOf, keyAtHand } from "./restored-key.ts";
import { demandRoom, sweepTrials } from "./scratch.ts";
import { type VerifyReport, verifyBackup } from "./verify-backup.ts";

export type { LoadProgress } from "./load.ts";
export type { RestoreReport } from "./restore-backup.ts";
export type { VerifyReport } from "./verify-backup.ts";

/** A backup as it comes, and what may open it. */
type BackupInput = Keys & {
  bytes: AsyncIterable<Uint8Array>;
  /** The same bytes again, where they can be had twice: they are proven then before anything is done with them. */
  again?: () => AsyncIterable<Uint8Array>;
  onProgress: (progress: LoadProgress) => void;
};

/** What a backup holds, and what a restore of it would come to here. */
export type BackupPlan = RestoreVerdict & { manifest: Manifest; rows: Checksums["rows"]; objects: number };

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

type Parts = { config: Config; log: Log; clock: Clock };

/** Makes them for a configuration; nothing is opened before it is asked for. */
export const createOperatorBackups = (parts: Parts): OperatorBackups => {
  const { config, log, clock } = parts;
  const prove = async ({ again, ...input }: BackupInput): Promise<void> => {
    if (again !== undefined)
      await withArchive({ ...input, bytes: again() }, (archive) => readThrough(archive, input));
  };

  return {
    plan: ({ isDroppingSecrets = false, ...input }) =>
      withArchive(input, async (archive) => {
        const held = await readThrough(archive, input);
        const { manifest } = archive;
        const { sizeBytes, objects } = held;
        const verdict = await lookAtRestore({ config, manifest, sizeBytes, isDroppingSecrets });
        return { manifest, rows: archive.checksums().rows, objects, ...verdict };
      }),
    verify: async (input) => {
      refuseOthersFolder(config.dataDir);
      return withArchive(input, async (archive) => {
        const { keyFingerprint } = archive.manifest;
        const at = keyAtHand(config);
        const isOurs = keyFingerprint !== null && at.fingerprints.includes(keyFingerprint);
        makeUsable(config.dataDir);
        await sweepTrials(config.dataDir, clock.now().getTime());
        const [roomIn, box] = [config.dataDir, isOurs ? boxOf(config) : null];
        return verifyBackup({ ...input, archive, log, clock, roomIn, box });
      });
    },
    restore: async ({ isDroppingSecrets, isReplacing, sizeBytes = null, ...input }) => {
      refuseOthersFolder(config.dataDir);
      if (config.databaseUrl === null) await demandRoom(config.dataDir, sizeBytes ?? 0);
      const isNew = !existsSync(config.dataDir);
      return withArchive(input, async (archive) => {
        await holdDataFolder(config.dataDir);
        const beforeReplacing = async () => {
          await prove(input);
          return isReplacing ? null : keepFormer(parts);
        };
        const how = { ...input, config, log, clock, archive, isDroppingSecrets, beforeReplacing };
        return restoreBackup(how).catch((error) => {
          if (isNew) removeUnused(config.dataDir);
          throw error;
        });
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

/** Opens a backup for the length of `work`. */
const withArchive = async <T>(
  { bytes, ...keys }: BackupInput,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> => {
  const archive = await openArchive(bytes, keys);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
};

/** Reads an archive to its end; what `onProgress` throws ends that. Resolves to what lies in it. */
const readThrough = async (
  { entries, rows }: OpenArchive,
  { onProgress }: Pick<BackupInput, "onProgress">,
): Promise<{ objects: number; sizeBytes: number }> => {
  const held = { objects: 0, sizeBytes: 0 };
  for await (const { name, bytes } of entries) {
    const place = entryPlace(name);
    held.sizeBytes += bytes.byteLength;
    held.objects += place?.kind === "object" ? 1 : 0;
    const table = place?.kind === "part" ? place.table : "";
    onProgress({ table, rows: rows(), readBytes: held.sizeBytes, step: null });
  }
  return held;
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
const keepFormer = async ({ config, log, clock }: Parts): Promise<string | null> => {
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
    const scratch = join(dataDir, "backup.part");
    const options = { handle, clock, log, scratch, key: null, lock, onProgress: () => {} };
    await makeBackup(options, (bytes) => folder.write(name, bytes));
    return join(folder.path, name);
  } finally {
    await handle.close();
  }
};
