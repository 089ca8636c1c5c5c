import { t } from "elysia";
import { dataOf, done, ruled } from "#api/modules/fields.ts";
import { backupBounds } from "#contract/backup-bounds.ts";
import { backupTexts } from "#contract/backup-texts.ts";

const known = { additionalProperties: false };
const places = { error: "Please choose folder or storage" };

const recipientForm = /^age1[02-9ac-hj-np-z]{58}$/;
const recipients = t.Array(
  ruled(
    "atrium-age-recipient",
    (text) => (recipientForm.test(text) ? null : "Please enter an age recipient, which begins with age1"),
    { description: "Public age recipient", pattern: recipientForm.source },
  ),
  { maxItems: 20 },
);

/** Where a backup goes, for whom it is encrypted, and whether the key goes along. */
export const startBackupBody = t.Object(
  {
    place: t.Optional(t.UnionEnum(["folder", "storage", "handover"], places)),
    recipients: t.Optional(recipients),
    includeKey: t.Optional(t.Boolean()),
  },
  known,
);

/** Which backup is meant. */
export const backupParams = t.Object({
  place: t.UnionEnum(["folder", "storage", "handover"], places),
  name: t.String({ maxLength: 100 }),
});

const run = t.Object({
  id: t.String(),
  state: t.UnionEnum(["running", "done", "failed"]),
  place: t.UnionEnum(["folder", "storage", "handover"]),
  isScheduled: t.Boolean(),
  startedAt: t.String({ format: "date-time" }),
  beatAt: t.String({ format: "date-time" }),
  stage: t.UnionEnum(["copying", "writing"]),
  table: t.Nullable(t.String()),
  rows: t.Number(),
  readBytes: t.Number(),
  name: t.Nullable(t.String()),
  sizeBytes: t.Nullable(t.Number()),
  sha256: t.Nullable(t.String()),
  error: t.Nullable(t.String()),
});

const kept = (error: string, maximum: number) =>
  t.Nullable(t.Number({ minimum: 1, maximum, multipleOf: 1, error }), { error });

const everyComplaint = (value: unknown): string => {
  const fields = Object.keys(Object(value));
  if (fields.includes("hours") === fields.includes("dailyAt")) return backupTexts.badEvery;
  return fields.includes("hours") ? backupTexts.badHours : backupTexts.badTime;
};

const scheduleFields = {
  isEnabled: t.Boolean(),
  every: t.Union(
    [
      t.Object({ hours: t.Number({ minimum: 1, maximum: backupBounds.everyHours, multipleOf: 1 }) }, known),
      t.Object({ dailyAt: t.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" }) }, known),
    ],
    // Of a union only its own complaint is told, never that of the branch that was meant.
    { error: ({ value }: { value: unknown }) => everyComplaint(value) },
  ),
  place: t.UnionEnum(["folder", "storage"], places),
  keepLast: kept(backupTexts.badKept, backupBounds.keepLast),
  keepDays: kept(backupTexts.badDays, backupBounds.keepDays),
  recipients,
};

/** Changes of the schedule; what is absent stays. Times are in UTC. */
export const scheduleBody = t.Partial(t.Object(scheduleFields, known), known);

const schedule = t.Object(scheduleFields);

const health = {
  run: t.Nullable(run),
  last: t.Nullable(t.Object({ at: t.String(), name: t.String(), place: t.String(), sizeBytes: t.Number() })),
  proof: t.Nullable(
    t.Object({
      at: t.String({ format: "date-time" }),
      name: t.String(),
      madeAt: t.String({ format: "date-time" }),
      isSound: t.Boolean(),
    }),
  ),
  schedule,
  nextAt: t.Nullable(t.String({ format: "date-time" })),
};

export const backupState = dataOf(
  t.Object({
    backups: t.Array(
      t.Object({
        name: t.String(),
        place: t.UnionEnum(["folder", "storage"]),
        sizeBytes: t.Number(),
        createdAt: t.String({ format: "date-time" }),
        isEncrypted: t.Boolean(),
      }),
    ),
    storageFault: t.Nullable(t.String()),
    hasStorage: t.Boolean(),
    ...health,
  }),
);

/** What a trial restore found. */
export const proofBody = t.Object(
  {
    name: t.String({
      minLength: 1,
      maxLength: 200,
      error: "Please give the backup's name, 1 to 200 characters",
    }),
    madeAt: t.String({
      format: "date-time",
      error: "Please give the moment at which it was made, as 2026-01-31T12:00:00Z",
    }),
    keyFingerprint: t.Nullable(t.String({ maxLength: 100 }), {
      error: "Please give the key's fingerprint, at most 100 characters, or null",
    }),
    isSound: t.Boolean({ error: "Please say true or false" }),
  },
  known,
);

export const backupHealth = dataOf(t.Object(health));
export const notedProof = done({});
export const backupRun = dataOf(t.Nullable(run));
export const startedBackup = done({ data: run });
export const removedBackup = done({});
export const changedSchedule = done({ data: schedule });
