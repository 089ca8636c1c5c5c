import { backupBounds } from "./backup-bounds.ts";

/** What the pages say about backups as well as the server and the terminal. */
export const pageBackupTexts = {
  badTime: "Please enter a time of the day as HH:MM",
  badHours: `Please choose 1 to ${backupBounds.everyHours} hours`,
  badKept: `Please enter a whole number from 1 to ${backupBounds.keepLast}`,
  badDays: `Please enter a whole number from 1 to ${backupBounds.keepDays}`,
  cancelled: "It was cancelled",
} as const;
