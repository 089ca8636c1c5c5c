import { implement } from "#api/core/implement.ts";
import { cancelBackup } from "./cancel-backup.ts";
import { backupsContract } from "./contract.ts";
import { downloadBackup } from "./download-backup.ts";
import { listBackups } from "./list-backups.ts";
import { noteProof } from "./note-proof.ts";
import { readBackupHealth } from "./read-backup-health.ts";
import { readRun } from "./read-run.ts";
import { planRemoval, removeBackup } from "./remove-backup.ts";
import { setSchedule } from "./set-schedule.ts";
import { startBackup } from "./start-backup.ts";

/** What does the operations about backups. */
export const backupsOperations = implement("backups", backupsContract, {
  list: listBackups,
  health: readBackupHealth,
  prove: noteProof,
  progress: readRun,
  create: startBackup,
  download: downloadBackup,
  cancel: cancelBackup,
  remove: { run: removeBackup, plan: planRemoval },
  setSchedule,
});
