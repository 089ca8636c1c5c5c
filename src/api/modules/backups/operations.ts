import { implement } from "#api/core/implement.ts";
import { cancelBackup, noteProof, planRemoval, removeBackup, startBackup } from "./change-backups.ts";
import { backupsContract } from "./contract.ts";
import { downloadBackup, listBackups, readBackupHealth, readRun } from "./read-backups.ts";
import { setSchedule } from "./set-schedule.ts";

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
