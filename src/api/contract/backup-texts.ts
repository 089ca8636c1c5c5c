/** The most that a schedule can ask for; one is the least. `keepLast` counts backups. */
export const backupBounds = { everyHours: 168, keepLast: 1_000, keepDays: 3_650 } as const;

/** What the pages say about backups as well as the server and the terminal. */
export const pageBackupTexts = {
  badTime: "Please enter a time of day as HH:MM",
  badHours: `Please choose 1 to ${backupBounds.everyHours} hours`,
  badKept: `Please enter a whole number from 1 to ${backupBounds.keepLast}`,
  badDays: `Please enter a whole number from 1 to ${backupBounds.keepDays}`,
  cancelled: "The backup was canceled",
} as const;

/** What people read about backups, in the terminal and in the browser. */
export const backupTexts = {
  ...pageBackupTexts,
  underWay: "A backup is already running; wait until it is done",
  noStorage: "No object storage is configured to save backups to",
  noBucket:
    "No object storage is configured in this installation's settings; name the bucket with --bucket, and its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  notStored: "This backup doesn't exist in object storage",
  storageAway: "The object storage can't be used",
  keyNeedsLock: "The installation's key can only be included in an encrypted backup",
  keyForOperator: "Only the operator at the terminal can include the installation's key",
  brokenOff: "Interrupted when the server stopped",
  notUnderWay: "No backup is running",
  cancelling: "The backup was canceled; nothing of it is kept",
  failed: "The backup failed; see the server's log for the reason",
  started: "The backup has started",
  wouldBackUp: ({ goal, lock, hasKey }: { goal: string; lock: string; hasKey: boolean }) =>
    `Would back up to ${goal}, ${lock}, ${hasKey ? "with" : "without"} the installation's key`,
  goals: { handover: "a file", storage: "object storage", folder: "the data folder" },
  removed: "The backup was removed",
  badEvery: "Please give either hours or dailyAt, and nothing else",
  badRecipient: "This is not an age recipient: recipients begin with age1, as `age-keygen` prints them",
  notOurs: "The backup was made by another installation",
  proofRecorded: "The verification was recorded",
  scheduled: "Backups are now made automatically",
  unscheduled: "Automatic backups are off",
} as const;

/** What of the making of backups tells whether something is wrong with it. */
type Making = {
  run: { state: "running" | "done" | "failed"; startedAt: string; error: string | null } | null;
  last: object | null;
  schedule: { isEnabled: boolean };
};

/** What is wrong with the making of backups: the newest try failed, or the schedule is on and none was made yet. */
type BackupTrouble = { kind: "failed"; at: string; reason: string | null } | { kind: "never" };

/**
 * What an administrator should know about the making of backups; `null` when there is nothing. One that someone canceled
 * did not fail, and a schedule that is off is no one's mistake.
 */
export const backupTrouble = ({ run, last, schedule }: Making): BackupTrouble | null => {
  if (run?.state === "failed" && run.error !== pageBackupTexts.cancelled)
    return { kind: "failed", at: run.startedAt, reason: run.error };
  return schedule.isEnabled && last === null ? { kind: "never" } : null;
};

/** What is said of snapshots. */
export const snapshotTexts = {
  onlyEmbedded: "Only the embedded database has snapshots; use atrium backup instead",
} as const;
