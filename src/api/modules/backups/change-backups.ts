import { type ActivityEntry, noteActivity } from "#api/core/activity.ts";
import { requireAdmin, requireOperator, requirePerson } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { BackupRun } from "#api/core/backups.ts";
import { isAhead } from "#api/core/clock.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import type { BytesDownload } from "#api/modules/download.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type {
  BackupHealth,
  BackupParams,
  BackupSchedule,
  BackupState,
  NoteProofInput,
  ScheduleChange,
  StartBackupInput,
} from "./contract.ts";
import { nextTurn } from "./schedule.ts";
import {
  findKeyFingerprint,
  findLastBackup,
  findProof,
  findSchedule,
  findScheduleStart,
  findTurn,
  forgetScheduled,
  holdSchedule,
  writeProof,
  writeSchedule,
} from "./store.ts";

/**
 * Begins a backup, which is made while the server continues; the list tells how far it is. For admins and the operator; the
 * installation's key goes along for the operator alone, and API tokens make encrypted ones alone (`SESSION_REQUIRED`).
 */
export const startBackup = async (
  ctx: Context,
  { place = "folder", recipients, includeKey = false }: StartBackupInput,
) => {
  requireAdmin(ctx);
  if (includeKey && ctx.actor.kind !== "operator")
    throw new AppError("FORBIDDEN", backupTexts.keyForOperator);
  const lock = recipients ?? (await findSchedule(ctx.db)).recipients;
  if (lock.length === 0) requirePerson(ctx);
  const order = { place, recipients: lock, isScheduled: false, isWithKey: includeKey };
  const run = await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: "medium",
      action: "Started a backup",
      description: `To ${place}, ${lock.length === 0 ? "not encrypted" : "encrypted"}${includeKey ? ", with the installation's key" : ""}`,
    },
    (tx) => ctx.backups.claim(tx, order),
  );
  void ctx.backups.make(run, order);
  return { message: backupTexts.started, data: run };
};

/**
 * Cancels the backup that is being made, on whichever server, also when that one hangs. For admins and the operator.
 * Throws `CONFLICT` when none is being made.
 */
export const cancelBackup = async (ctx: Context) => {
  const run = await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: "medium",
      action: "Canceled a backup",
      described: ({ startedAt, place }: BackupRun) => ({
        description: `Started at ${startedAt}, to ${place}`,
      }),
    },
    (tx) => ctx.backups.cancel(tx),
  );
  await ctx.backups.halt(run);
  return { message: backupTexts.cancelling };
};

/** Removes a backup permanently. For admins and the operator. Throws `NOT_FOUND`. */
export const removeBackup = async (ctx: Context, { place, name }: BackupParams) => {
  requireAdmin(ctx);
  if ((await ctx.backups.open(place, name)) === null) throw new AppError("NOT_FOUND");
  await adminAction(ctx, entryFor({ place, name }), async () => {});
  // Behind its row in the log: what cannot be recorded is not done.
  await ctx.backups.remove(place, name);
  await forgetScheduled(ctx.db, name);
  return { message: backupTexts.removed };
};

/** What removing one would do. For admins and the operator. Throws `NOT_FOUND`. */
export const planRemoval = async (ctx: Context, { place, name }: BackupParams): Promise<OwnPlan> => {
  requireAdmin(ctx);
  if ((await ctx.backups.open(place, name)) === null) throw new AppError("NOT_FOUND");
  return { summary: `Would remove ${name} permanently`, recorded: [entryFor({ place, name })] };
};

const entryFor = ({ place, name }: BackupParams): ActivityEntry => ({
  type: "admin_action",
  severity: place === "handover" ? "low" : "high",
  action: place === "handover" ? "Downloaded a backup" : "Removed a backup",
  description: name,
});

/** Notes a trial restore, which the terminal makes beside the server. For the operator. Throws `CONFLICT` for a backup of another installation. */
export const noteProof = async (ctx: Context, { name, madeAt, keyFingerprint, isSound }: NoteProofInput) => {
  requireOperator(ctx);
  await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: isSound ? "low" : "high",
      status: isSound ? "success" : "failure",
      action: "Verified a backup",
      description: `${name}, made at ${madeAt}: ${isSound ? "sound" : "not sound"}`,
    },
    async (tx) => {
      if (keyFingerprint !== (await findKeyFingerprint(tx)))
        throw new AppError("CONFLICT", backupTexts.notOurs);
      await writeProof(tx, { at: ctx.clock.now().toISOString(), name, madeAt, isSound });
    },
  );
  return { message: backupTexts.proofRecorded };
};

/** Everything about backups: those that are kept, and whether they are made. For admins and the operator. */
export const listBackups = async (ctx: Context): Promise<BackupState> => {
  requireAdmin(ctx);
  // Before the list: whoever reads that a making is over finds what it made.
  const health = await readBackupHealth(ctx);
  const { backups, storageFault } = await ctx.backups.list();
  return {
    backups: backups.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
    storageFault,
    hasStorage: ctx.settings.current.bucket !== null,
    ...health,
  };
};

/** Whether backups are made, from the database alone, however far away the backups lie. For admins and the operator. */
export const readBackupHealth = async (ctx: Context): Promise<BackupHealth> => {
  requireAdmin(ctx);
  const [run, last, proof, schedule, turn] = [
    await ctx.backups.run(),
    await findLastBackup(ctx.db),
    await findProof(ctx.db),
    await findSchedule(ctx.db),
    await findTurn(ctx.db),
  ];
  const now = ctx.clock.now();
  const counted = turn === null || isAhead(turn, now) ? now : turn;
  const next = schedule.isEnabled ? nextTurn(schedule, counted) : null;
  return { run, last, proof, schedule, nextAt: next?.toISOString() ?? null };
};

/** How far the newest making of a backup is, whichever server it runs on. For admins and the operator. */
export const readRun = async (ctx: Context): Promise<BackupRun | null> => {
  requireAdmin(ctx);
  return ctx.backups.run();
};

/**
 * The content of a backup. For admins and the operator; that it was taken is recorded. Throws `NOT_FOUND`, and
 * `SESSION_REQUIRED` for API tokens where it is not encrypted.
 */
export const downloadBackup = async (ctx: Context, { place, name }: BackupParams): Promise<BytesDownload> => {
  requireAdmin(ctx);
  // Its content opens every account to whoever has it. The name says of each backup whether it is encrypted.
  if (!name.endsWith(".age")) requirePerson(ctx);
  const file = await ctx.backups.open(place, name);
  if (file === null) throw new AppError("NOT_FOUND");
  noteActivity(ctx, {
    type: "admin_action",
    severity: "high",
    action: "Downloaded a backup",
    description: name,
  });
  return { fileName: name, contentType: "application/octet-stream", ...file };
};

/**
 * By when the schedule owes a whole backup, as counted from the last one or from when it was set; tries that failed do
 * not put it off, nor does what a clock recorded that was ahead. `null` while there is no schedule.
 */
export const findBackupDue = async (db: Database, now: Date): Promise<Date | null> => {
  const schedule = await findSchedule(db);
  if (!schedule.isEnabled) return null;
  const [last, start] = [await findLastBackup(db), await findScheduleStart(db)];
  const known = [last === null ? null : new Date(last.at), start].filter((moment) => moment !== null);
  if (known.length === 0) return null;
  const past = known.filter((moment) => !isAhead(moment, now)).map((moment) => moment.getTime());
  // The worker counts from now then, too, with its next look.
  return nextTurn(schedule, past.length === 0 ? now : new Date(Math.max(...past)));
};

/**
 * Sets when backups are made by themselves; fields that are absent keep their values. The next one is due as counted from
 * now. For admins and the operator. Throws `CONFLICT` for object storage that is not set up, and `VALIDATION_FAILED` for a
 * recipient for whom nothing could be encrypted.
 */
export const setSchedule = async (ctx: Context, change: ScheduleChange) => {
  requireAdmin(ctx);
  await refuseBadRecipients(change.recipients ?? []);
  const { after } = await adminAction(
    ctx,
    {
      type: "configuration_changed",
      severity: "medium",
      action: "Changed the backup schedule",
      described: (made: { before: BackupSchedule; after: BackupSchedule }) => ({
        description: made.after.isEnabled ? backupTexts.scheduled : backupTexts.unscheduled,
        before: recorded(made.before),
        after: recorded(made.after),
      }),
    },
    async (tx) => {
      const before = await holdSchedule(tx);
      const after = { ...before, ...change };
      if (after.isEnabled && after.place === "storage" && ctx.settings.current.bucket === null)
        throw new AppError("CONFLICT", backupTexts.noStorage);
      await writeSchedule(tx, after, ctx.clock.now());
      return { before, after };
    },
  );
  const message = after.isEnabled ? backupTexts.scheduled : backupTexts.unscheduled;
  return { message, data: after };
};

/** How a schedule is in the log. For whom they are encrypted stays in it too: a recipient that was exchanged is seen. */
const recorded = (schedule: BackupSchedule) => ({
  ...schedule,
  isEncrypted: schedule.recipients.length > 0,
});

/** A schedule that none of its backups could be made by would be found out in the night. */
const refuseBadRecipients = async (recipients: readonly string[]): Promise<void> => {
  const complaints = await Promise.all(recipients.map(recipientComplaint));
  const errors = complaints.flatMap((message, at) =>
    message === null ? [] : [{ path: `recipients.${at}`, message }],
  );
  if (errors.length > 0) throw validationError(errors);
};

/** Complaint about a text that should be an age recipient, with the checksum at its end, or `null`. */
export const recipientComplaint = async (text: string): Promise<string | null> => {
  // More code than many a module: a server that makes no backup does without.
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(text);
    return null;
  } catch {
    return backupTexts.badRecipient;
  }
};
