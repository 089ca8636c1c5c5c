/** Words of the page with the backups. */
export const backupPageTexts = {
  title: "Backups",
  lead: "Accounts, settings, plugins, files and the activity log in one file each, to restore from on any machine",
  now: "Back up now",
  where: "Where to",
  places: { folder: "Data folder", storage: "Object storage", handover: "Command line" },
  startFailed: "The backup could not be begun",
  running: (place: string) => `A backup is being made · ${place}`,
  copying: "Copying the database",
  progress: (rows: string, bytes: string) => `${rows} rows, ${bytes} read`,
  since: (moment: string) => `Begun ${moment}`,
  goesOn: "It goes on when you leave this page.",
  made: "The backup is made",
  failed: (moment: string) => `The backup of ${moment} failed`,
  failedHint: "Try again once the cause is mended.",
  state: "State",
  last: "Last success",
  never: "No backup was made yet",
  next: "Next one",
  off: "Only by hand: the schedule is off",
  lock: "Encryption",
  locked: (count: number) => `For ${count} ${count === 1 ? "recipient" : "recipients"} of the schedule`,
  open: "None: whoever has the file can read it. Enter a recipient below.",
  loading: "Loading backups",
  table: "Kept backups",
  columns: { made: "Made", size: "Size", where: "Where", kind: "Kind", lock: "Encrypted" },
  yes: "Encrypted",
  no: "Not encrypted",
  kinds: { scheduled: "Scheduled", manual: "By hand", restore: "Before a restore" },
  none: "No backups yet",
  noneText:
    "Make one with “Back up now”, then set a schedule, so that the next one needs nobody. Only backups survive the loss of this machine: keep some elsewhere.",
  storageFault: "Backups in object storage cannot be listed",
} as const;

/** Words of one backup. */
export const backupTexts = {
  name: "Name",
  rows: "Rows",
  sum: "SHA-256",
  download: "Download",
  remove: "Delete",
  removeTitle: "Delete this backup?",
  removeText: (name: string) => `${name} is removed for good. Nothing can be restored from it any more.`,
  removeConfirm: "Delete backup",
  removeFailed: "The backup could not be deleted",
  restore: "Restore",
  restoreText:
    "On the server's machine, in the folder with the downloaded file. The first command changes nothing; before the second, stop the server, and start it afterwards.",
  check: "Command that looks into it",
  apply: "Command that restores it",
  identity:
    "backup-identity.txt is the file of age-keygen that belongs to the recipient. It is not on this server.",
  key: "Keep the installation's key (APP_SECRET, or app.key of the data folder) too: without it stored secrets are lost.",
} as const;

/** Words of the schedule. */
export const scheduleTexts = {
  title: "Schedule",
  lead: "Backups by themselves. After a failure each is tried again three times, a quarter of an hour apart.",
  when: "When",
  modes: { off: "Off", hours: "Every few hours", daily: "Daily" },
  hours: "Hours between two",
  time: "Time of the day (UTC)",
  timeHint: "As HH:MM, such as 03:00",
  place: "Where to",
  noStorage: "Set up object storage in the settings to keep them off this machine.",
  keepLast: "Keep the last",
  keepLastHint: "Number of scheduled backups. Empty: any number.",
  keepDays: "Keep for days",
  keepDaysHint: "Older ones go; the newest always stays. Empty: no limit.",
  recipients: "Age recipients",
  recipientsHint:
    "One a line, each as age-keygen prints it. Only who has the identity can open the backups. Empty: not encrypted.",
  badRecipient: "Please enter an age recipient, which begins with age1",
  save: "Save schedule",
  saveFailed: "The schedule could not be saved",
} as const;
