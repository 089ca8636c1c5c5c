/** What the pages say about backups as well as the server and the terminal. */
export const pageBackupTexts = {
  badTime: "Please enter a time of the day as HH:MM",
  badHours: "Please choose 1 to 168 hours",
  badKept: "Please enter a whole number from 1 to 1000",
  badDays: "Please enter a whole number from 1 to 3650",
  cancelled: "It was cancelled",
} as const;
