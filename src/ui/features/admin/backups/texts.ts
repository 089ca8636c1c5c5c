/** Words of the page with the backups. */
export const backupPageTexts = {
  title: "Backups",
  lead: "Each backup is one file with accounts, settings, plugins, files and the activity log. You can restore it on any machine.",
  now: "Back up now",
  where: "Destination",
  places: { folder: "Data folder", storage: "Object storage", handover: "Command line" },
  startFailed: "The backup could not be started",
  running: (place: string) => `Backup in progress · ${place}`,
  copying: "Copying the database",
  progress: (rows: string, bytes: string) => `${rows} rows, ${bytes} read`,
  since: (moment: string) => `Started ${moment}`,
  goesOn: "You can leave this page; it keeps running.",
  cancel: "Cancel",
  cancelFailed: "The backup could not be canceled",
  made: "Backup completed",
  cancelled: (moment: string) => `The backup of ${moment} was canceled`,
  cancelledText: "Nothing was saved.",
  failed: (moment: string) => `The backup of ${moment} failed`,
  failedHint: "Fix the cause, then try again.",
  state: "Status",
  last: "Last successful backup",
  never: "None yet",
  next: "Next backup",
  off: "Manual only: the schedule is off",
  proof: "Last verified",
  unproven: "Never. Run “atrium restore … --verify” on the server to verify one.",
  sound: "OK",
  unsound: "damaged",
  lock: "Encryption",
  locked: (count: number) => `For ${count} ${count === 1 ? "recipient" : "recipients"} of the schedule`,
  open: "None: anyone who has the file can read it. Add a recipient below.",
  loading: "Loading backups",
  table: "Backups",
  columns: { made: "Created", size: "Size", where: "Location", kind: "Type", lock: "Encrypted" },
  yes: "Encrypted",
  no: "Not encrypted",
  kinds: { scheduled: "Scheduled", manual: "Manual", restore: "Before a restore" },
  none: "No backups yet",
  noneText:
    "Create one with “Back up now”, then set a schedule so that the next ones run automatically. If this machine is lost, only backups stored elsewhere survive.",
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
  removeText: (name: string) =>
    `${name} is permanently deleted and can no longer be used to restore. This can't be undone.`,
  removeConfirm: "Delete backup",
  removeFailed: "The backup could not be deleted",
  restore: "Restore",
  restoreText:
    "Run these on the server's machine, in the folder with the downloaded file. The first command changes nothing. Stop the server before the second one and start it again afterwards.",
  check: "Command to check the backup",
  apply: "Command to restore the backup",
  identity:
    "backup-identity.txt is the identity file that age-keygen created for the recipient. It is not stored on this server.",
  key: "Also keep the installation's key (APP_SECRET, or app.key in the data folder). Without it, stored secrets are lost.",
} as const;

/** Words of the schedule. */
export const scheduleTexts = {
  title: "Schedule",
  lead: "Create backups automatically. A failed backup is retried three times, 15 minutes apart.",
  when: "When",
  modes: { off: "Off", hours: "Every few hours", daily: "Daily" },
  hours: "Hours between backups",
  time: "Time of day (UTC)",
  timeHint: "In HH:MM format, such as 03:00",
  place: "Destination",
  noStorage: "To store backups off this machine, configure object storage in the settings.",
  keepLast: "Keep the last",
  keepLastHint:
    "Number of scheduled backups to keep. Leave empty to keep all. Backups made before a restore are kept until you delete them.",
  keepDays: "Keep for days",
  keepDaysHint: "Older backups are deleted; the newest is always kept. Leave empty for no limit.",
  recipients: "Age recipients",
  recipientsHint:
    "One per line, as printed by age-keygen. Only the holder of the identity can open the backups. Leave empty for no encryption.",
  badRecipient: "Please enter an age recipient, which begins with age1",
  save: "Save schedule",
  saveFailed: "The schedule could not be saved",
} as const;
