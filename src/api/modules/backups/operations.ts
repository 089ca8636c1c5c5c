import { implement } from "#api/core/implement.ts";
import {
  cancelBackup,
  downloadBackup,
  listBackups,
  noteProof,
  planRemoval,
  readBackupHealth,
  readRun,
  removeBackup,
  setSchedule,
  startBackup,
} from "./change-backups.ts";
import { backupsContract } from "./contract.ts";

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
