export { createBackupWorker } from "./backup-worker.ts";
export { findBackupDue, recipientComplaint } from "./change-backups.ts";
export {
  type Alive,
  findLastBackup,
  findRun,
  findSchedule,
  forgetBackupRuns,
  noteScheduled,
  takeRun,
  updateRun,
  writeLastBackup,
} from "./store.ts";
