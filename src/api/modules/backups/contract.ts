import type { Kit } from "#api/modules/kit.ts";
import { backupBounds, backupTexts } from "#contract/backup-texts.ts";
import { type AnswerOf, type CommandGroup, type InputOf, operation } from "#contract/operation.ts";

const forAdmins = { access: "admin", scope: "all", proof: "none", tag: "Backups" } as const;

const sampleName = "atrium-20260102T030405Z-0a1b2c.tar.zst";
const shelves = ["folder", "storage"] as const;
const targets = ["folder", "storage", "handover"] as const;
const badPlace = { error: "Please choose folder or storage" };

const recipientForm = /^age1[02-9ac-hj-np-z]{58}$/;
const recipients = (kit: Kit) =>
  kit.list(
    kit.checkedText(
      "atrium-age-recipient",
      (text) => (recipientForm.test(text) ? null : "Please enter an age recipient, which begins with age1"),
      { description: "Public age recipient", pattern: recipientForm.source },
    ),
    { maxItems: 20 },
  );

/** Which backup is meant. */
const one = (kit: Kit) => kit.object({ place: kit.oneOf(targets, badPlace), name: kit.text({ most: 100 }) });

const run = (kit: Kit) =>
  kit.object({
    id: kit.text(),
    state: kit.choice(["running", "done", "failed"]),
    place: kit.choice(targets),
    isScheduled: kit.flag(),
    startedAt: kit.instant,
    beatAt: kit.instant,
    stage: kit.choice(["copying", "writing"]),
    table: kit.nullable(kit.text()),
    rows: kit.number(),
    readBytes: kit.number(),
    name: kit.nullable(kit.text()),
    sizeBytes: kit.nullable(kit.number()),
    sha256: kit.nullable(kit.text()),
    error: kit.nullable(kit.text()),
  });

const kept = (kit: Kit, error: string, maximum: number) =>
  kit.nullable(kit.number({ minimum: 1, maximum, multipleOf: 1, error }), { error });

const everyComplaint = (value: unknown): string => {
  const fields = Object.keys(Object(value));
  if (fields.includes("hours") === fields.includes("dailyAt")) return backupTexts.badEvery;
  return fields.includes("hours") ? backupTexts.badHours : backupTexts.badTime;
};

/** When backups are made by themselves, whereto, and how many of those are kept. Times are in UTC. */
const schedule = (kit: Kit) => ({
  isEnabled: kit.flag(),
  every: kit.either(
    [
      kit.exact({ hours: kit.number({ minimum: 1, maximum: backupBounds.everyHours, multipleOf: 1 }) }),
      kit.exact({ dailyAt: kit.text({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }) }),
    ],
    // Of a union only its own complaint is told, never that of the branch that was meant.
    { error: ({ value }) => everyComplaint(value) },
  ),
  place: kit.oneOf(shelves, badPlace),
  keepLast: kept(kit, backupTexts.badKept, backupBounds.keepLast),
  keepDays: kept(kit, backupTexts.badDays, backupBounds.keepDays),
  recipients: recipients(kit),
});

const health = (kit: Kit) => ({
  run: kit.nullable(run(kit)),
  last: kit.nullable(
    kit.object({ at: kit.text(), name: kit.text(), place: kit.text(), sizeBytes: kit.number() }),
  ),
  proof: kit.nullable(
    kit.object({ at: kit.instant, name: kit.text(), madeAt: kit.instant, isSound: kit.flag() }),
  ),
  schedule: kit.object(schedule(kit)),
  nextAt: kit.nullable(kit.instant),
});

const nameArgument = [{ name: "name", summary: "the backup, as `backup list` names it" }];

/** The word of the commands about backups, which makes one itself. */
export const backupsGroup: CommandGroup = {
  word: "backup",
  summary: "back up everything that the installation stores",
  description:
    "Backs up the database, packages and settings, whether or not a server is running; a running server stays available. A backup is a tar archive compressed with zstd, and if encrypted an age file, so that standard tools can open it. It contains the fingerprint of the installation's key, and the key itself only with --include-key; stored secrets stay encrypted with it.",
};

/** What can be done about backups. */
export const backupsContract = {
  list: operation("GET /api/admin/backups", {
    ...forAdmins,
    scope: "backups:read",
    responds: "data",
    schemas: (kit) => ({
      answer: kit.object({
        backups: kit.list(
          kit.object({
            name: kit.text(),
            place: kit.choice(shelves),
            sizeBytes: kit.number(),
            createdAt: kit.instant,
            isEncrypted: kit.flag(),
          }),
        ),
        storageFault: kit.nullable(kit.text()),
        hasStorage: kit.flag(),
        ...health(kit),
      }),
    }),
    names: {
      "200.data.backups[].place": "BackupPlace",
      "200.data.run|0": "BackupRun",
      "200.data.run|0.place": "BackupTarget",
      "200.data.last|0": "LastBackup",
      "200.data.proof|0": "BackupProof",
      "200.data.schedule": "BackupSchedule",
      "200.data.schedule.every": "BackupRhythm",
    },
    summary: "Existing backups, the most recent run, and the schedule",
    description: "Newest first. While a backup is running, `run` shows its progress.",
    commands: [
      {
        name: "list",
        action: "List backups",
        summary: "list the existing backups",
        description:
          "Lists the backups in the data folder and in the configured object storage, newest first. Standard error says which one was verified last.",
        examples: [{ summary: "List all backups", typed: "atrium backup list" }],
      },
    ],
  }),
  health: operation("GET /api/admin/backups/health", {
    ...forAdmins,
    scope: "any",
    responds: "data",
    schemas: (kit) => ({ answer: kit.object(health(kit)) }),
    summary:
      "Health of backups: the most recent run, the last success, the most recent verification, the schedule",
    description: "The same without the list, which has to ask object storage.",
    calledBy: { command: "status", action: "See whether backups are made" },
  }),
  prove: operation("POST /api/admin/backups/proof", {
    ...forAdmins,
    access: "operator",
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({
        name: kit.text({
          minLength: 1,
          most: 200,
          error: "Please give the backup's name, 1 to 200 characters",
        }),
        madeAt: kit.text({
          format: "date-time",
          error: "Please give the time when it was made, such as 2026-01-31T12:00:00Z",
        }),
        keyFingerprint: kit.nullable(kit.text({ most: 100 }), {
          error: "Please give the key's fingerprint, at most 100 characters, or null",
        }),
        isSound: kit.flag({ error: "Please say true or false" }),
      }),
    }),
    errors: ["CONFLICT"],
    summary: "Record the result of a verification at the terminal",
    description: "Refused with `CONFLICT` for a backup of another installation.",
    example: { name: sampleName, madeAt: "2026-01-02T03:04:05.000Z", keyFingerprint: null, isSound: true },
    probe: { body: {}, status: 200 },
  }),
  progress: operation("GET /api/admin/backups/run", {
    ...forAdmins,
    scope: "backups:read",
    responds: "data",
    schemas: (kit) => ({ answer: kit.nullable(run(kit)) }),
    summary: "Progress of the most recent backup; `null` before the first",
    description:
      "Whichever server makes it: its stage, with rows and bytes so far while it is running; at the end its name, size and SHA-256, or why it failed. To follow a backup, repeat the request every few seconds.",
    calledBy: { command: "backup", action: "Follow a backup" },
  }),
  create: operation("POST /api/admin/backups", {
    ...forAdmins,
    proof: "recent",
    changes: true,
    responds: "message",
    schemas: (kit) => ({
      body: kit.exact({
        place: kit.optional(kit.oneOf(targets, badPlace)),
        recipients: kit.optional(recipients(kit)),
        includeKey: kit.optional(kit.flag()),
      }),
      answer: run(kit),
    }),
    errors: ["CONFLICT"],
    summary: "Start a backup",
    would: ({ input, data, description }) =>
      backupTexts.wouldBackUp({
        goal: backupTexts.goals[data.place],
        // Whom a backup is encrypted for without recipients of its own only the schedule says, and the log.
        lock: description.includes("not encrypted") ? "not encrypted" : "encrypted",
        hasKey: input.includeKey === true,
      }),
    description:
      "Responds immediately; the backup is made while the server stays available, one at a time. Without `recipients` it is encrypted like scheduled ones. `handover` keeps it in the data folder, unlisted, for the client to download and remove. The installation's key is included (`includeKey`) only for the operator, and only in an encrypted backup.",
    example: { place: "folder", recipients: [] },
    probe: { body: { place: "nowhere" }, status: 422 },
    calledBy: { command: "backup", action: "Back up" },
  }),
  download: operation("GET /api/admin/backups/:place/:name/download", {
    ...forAdmins,
    scope: "backups:read",
    proof: "factor",
    mayTakeLong: true,
    responds: "file",
    schemas: (kit) => ({
      params: one(kit),
      answer: kit.file("application/octet-stream", "The backup"),
    }),
    errors: ["NOT_FOUND", "STORAGE_UNAVAILABLE", "CONFLICT"],
    summary: "Download a backup",
    description:
      "The download is recorded in the activity log. API tokens can download encrypted backups only.",
    example: { place: "folder", name: sampleName },
    probe: { params: { place: "folder", name: "none.age" }, status: 404 },
    commands: [
      {
        name: "download",
        action: "Download a backup",
        summary: "save a backup as a file",
        description:
          "Saves a backup from the data folder or from object storage, byte for byte, to a file that only its owner can read.",
        arguments: nameArgument,
        // Commander hands it to `backup`, which takes one too: here it would seem to be missing.
        options: [
          {
            ...{ name: "out", value: "file" },
            summary: "write to this file, completely or not at all, never over an existing one; required",
          },
        ],
        examples: [
          {
            summary: "To another machine",
            typed:
              "atrium backup download atrium-20261121T030000Z-0a1b2c.tar.zst --out atrium.tar.zst --url https://atrium.example",
          },
        ],
      },
    ],
  }),
  cancel: operation("DELETE /api/admin/backups/run", {
    ...forAdmins,
    changes: true,
    responds: "message",
    schemas: () => ({}),
    errors: ["CONFLICT"],
    summary: "Cancel the running backup",
    would: () => "Would cancel the running backup",
    description:
      "Whichever server makes it, even if it hangs; nothing of it is kept. Refused with `CONFLICT` if no backup is running.",
    commands: [
      {
        name: "cancel",
        action: "Cancel a backup",
        summary: "cancel the running backup",
        description:
          "Cancels the running backup, whichever server makes it, scheduled or not; nothing of it is kept.",
        message: "{message}",
        examples: [{ summary: "Cancel it", typed: "atrium backup cancel" }],
      },
    ],
  }),
  remove: operation("DELETE /api/admin/backups/:place/:name", {
    ...forAdmins,
    tokens: false,
    proof: "factor",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ params: one(kit) }),
    errors: ["NOT_FOUND", "STORAGE_UNAVAILABLE", "CONFLICT"],
    summary: "Remove a backup permanently",
    description:
      "This can't be undone. Recorded in the activity log before anything is removed. 404 if the backup doesn't exist.",
    example: { place: "folder", name: sampleName },
    probe: { params: { place: "folder", name: "none" }, status: 404 },
    commands: [
      {
        name: "remove",
        action: "Remove a backup",
        summary: "remove a backup permanently",
        description: "Removes a backup from the data folder or from object storage. Asks for confirmation.",
        arguments: nameArgument,
        examples: [
          {
            summary: "Free disk space",
            typed: "atrium backup remove atrium-20261121T030000Z-0a1b2c.tar.zst --yes",
          },
        ],
      },
    ],
  }),
  setSchedule: operation("PUT /api/admin/backups/schedule", {
    ...forAdmins,
    tokens: false,
    proof: "factor",
    changes: true,
    responds: "message",
    schemas: (kit) => ({ body: kit.some(schedule(kit)), answer: kit.object(schedule(kit)) }),
    errors: ["CONFLICT"],
    summary: "Set the schedule of automatic backups",
    would: ({ data: { isEnabled, every, place }, before }) => {
      if (!isEnabled)
        return Reflect.get(before, "isEnabled") === true
          ? "Would stop automatic backups"
          : "Would change the schedule; automatic backups stay off";
      const when = "hours" in every ? `every ${every.hours} hours` : `daily at ${every.dailyAt} UTC`;
      return `Would back up automatically to ${backupTexts.goals[place]} ${when}`;
    },
    description:
      "Every given number of hours, or daily at a time in UTC. Scheduled backups are removed, oldest first, when there are more than `keepLast` or when they are older than `keepDays`; the newest is always kept.",
    example: { isEnabled: true, every: { dailyAt: "03:00" }, keepLast: 7, keepDays: null, recipients: [] },
    probe: { body: { place: "nowhere" }, status: 422 },
    commands: [
      {
        name: "schedule",
        action: "Set the backup schedule",
        summary: "show or set the schedule of automatic backups",
        description:
          "Without options, shows the schedule. If several servers run, one of them makes each backup. It is saved to that server's data folder or to object storage, and encrypted for age recipients if there are any; no passphrase is stored on the server. Old scheduled backups are removed; the newest is always kept.",
        options: [
          { name: "daily", value: "time", summary: "daily at this time, HH:MM in UTC" },
          {
            ...{ name: "every-hours", value: "hours" },
            summary: `every so many hours, 1 to ${backupBounds.everyHours}`,
          },
          {
            ...{ name: "to", value: "place", values: shelves },
            summary: "folder (the data folder) or storage (object storage)",
          },
          { name: "keep-last", value: "count", summary: 'how many to keep; "all" for no limit' },
          {
            ...{ name: "keep-days", value: "days" },
            summary: 'for how many days to keep them; "all" for no limit',
          },
          {
            ...{ name: "recipient", value: "age1…", repeats: true },
            summary: "encrypt them for an age recipient; may be repeated",
          },
          { name: "unencrypted", type: "boolean", summary: "do not encrypt them" },
          { name: "off", type: "boolean", summary: "turn automatic backups off; no other options allowed" },
        ],
        examples: [
          {
            summary: "Every night, for the holder of the identity",
            typed: "atrium backup schedule --daily 03:00 --to storage --recipient age1…",
          },
          {
            summary: "Every six hours, kept for a week",
            typed: "atrium backup schedule --every-hours 6 --keep-last 28",
          },
          { summary: "See when the next backup is made", typed: "atrium backup schedule" },
        ],
      },
    ],
  }),
};

/** Which backup is meant. */
export type BackupParams = InputOf<typeof backupsContract.remove>;
/** What is to be made; without `recipients` it is encrypted as scheduled backups are. */
export type StartBackupInput = InputOf<typeof backupsContract.create>;
/** What a trial restore at the terminal found; `keyFingerprint` tells whose backup it is. */
export type NoteProofInput = InputOf<typeof backupsContract.prove>;
/** Everything about backups: those that are kept, and whether they are made. */
export type BackupState = AnswerOf<typeof backupsContract.list>;
/** A backup that is kept. */
export type Backup = BackupState["backups"][number];
/** Whether backups are made; `nextAt` is when the schedule makes the next one, `null` while it is off. */
export type BackupHealth = AnswerOf<typeof backupsContract.health>;
/** The newest making of a backup, under way or over. `handover` is one that whoever asked for it takes away. */
export type BackupRun = AnswerOf<typeof backupsContract.create>;
/** The last backup that was made whole: when it was begun, and where it lies. */
export type LastBackup = NonNullable<BackupHealth["last"]>;
/** The newest trial restore at the terminal: of which backup, and whether it was sound. */
export type BackupProof = NonNullable<BackupHealth["proof"]>;
/** When backups are made by themselves, whereto, and how many of those are kept. */
export type BackupSchedule = AnswerOf<typeof backupsContract.setSchedule>;
export type ScheduleChange = InputOf<typeof backupsContract.setSchedule>;
