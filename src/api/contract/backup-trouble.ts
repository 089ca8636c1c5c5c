import { pageBackupTexts } from "./page-backup-texts.ts";

/** What of the making of backups tells whether something is wrong with it. */
type Making = {
  run: { state: "running" | "done" | "failed"; startedAt: string; error: string | null } | null;
  last: object | null;
  schedule: { isEnabled: boolean };
};

/** What is wrong with the making of backups: the newest try failed, or the schedule is on and none was made yet. */
export type BackupTrouble = { kind: "failed"; at: string; reason: string | null } | { kind: "never" };

/**
 * What an administrator should know about the making of backups; `null` when there is nothing. One that somebody cancelled
 * did not fail, and a schedule that is off is nobody's mistake.
 */
export const backupTrouble = ({ run, last, schedule }: Making): BackupTrouble | null => {
  if (run?.state === "failed" && run.error !== pageBackupTexts.cancelled)
    return { kind: "failed", at: run.startedAt, reason: run.error };
  return schedule.isEnabled && last === null ? { kind: "never" } : null;
};
