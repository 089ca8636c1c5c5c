export { createBackupWorker } from "./backup-worker.ts";
export { findBackupDue } from "./read-backups.ts";
export { recipientComplaint } from "./set-schedule.ts";
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
