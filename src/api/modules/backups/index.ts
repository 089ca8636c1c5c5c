export { createBackupWorker } from "./backup-worker.ts";
export { findBackupDue } from "./find-backup-due.ts";
export { recipientComplaint } from "./recipient-complaint.ts";
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
