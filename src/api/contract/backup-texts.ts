import { pageBackupTexts } from "./page-backup-texts.ts";

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
  proofNoted: "The verification was noted",
  scheduled: "Backups are made by themselves from now on",
  unscheduled: "No backups are made by themselves",
} as const;
