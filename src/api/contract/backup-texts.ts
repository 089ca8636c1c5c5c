/** The most that a schedule can ask for; one is the least. `keepLast` counts backups. */
export const backupBounds = { everyHours: 168, keepLast: 1_000, keepDays: 3_650 } as const;

/** What the pages say about backups as well as the server and the terminal. */
export const pageBackupTexts = {
  badTime: "Please enter a time of the day as HH:MM",
  badHours: `Please choose 1 to ${backupBounds.everyHours} hours`,
  badKept: `Please enter a whole number from 1 to ${backupBounds.keepLast}`,
  badDays: `Please enter a whole number from 1 to ${backupBounds.keepDays}`,
  cancelled: "It was cancelled",
} as const;

/** What people read about backups, in the terminal and in the browser. */
export const backupTexts = {
  ...pageBackupTexts,
  underWay: "A backup is being made already; wait for it to end",
  noStorage: "No object storage is set up to bring backups to",
  noBucket:
    "This installation has no object storage in its settings; name the bucket with --bucket, and its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  notStored: "There is no such backup in object storage",
  storageAway: "The object storage cannot be used",
  keyNeedsLock: "The installation's key goes only into an encrypted backup",
  keyForOperator: "Only the operator at the terminal may take the installation's key along",
  brokenOff: "It was broken off when its server ended",
  notUnderWay: "No backup is being made",
  cancelling: "The backup was cancelled; nothing of it is kept",
  failed: "It could not be made; the server's log says why",
  started: "The backup has begun",
  wouldBackUp: ({ goal, lock, hasKey }: { goal: string; lock: string; hasKey: boolean }) =>
    `Would back up to ${goal}, ${lock}, ${hasKey ? "with" : "without"} the installation's key`,
  goals: { handover: "a file", storage: "object storage", folder: "the data folder" },
  removed: "The backup was removed",
  badEvery: "Please give either hours or dailyAt, and nothing else",
  badRecipient: "This is no age recipient: one begins with age1, as `age-keygen` prints it",
  notOurs: "The backup was made by another installation",
  proofRecorded: "The verification was noted",
  scheduled: "Backups are made by themselves from now on",
  unscheduled: "No backups are made by themselves",
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
 * What an administrator should know about the making of backups; `null` when there is nothing. One that somebody cancelled
 * did not fail, and a schedule that is off is nobody's mistake.
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
