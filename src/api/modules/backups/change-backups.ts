import type { ActivityEntry } from "#api/core/activity.ts";
import { requireAdmin, requireOperator, requirePerson } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { BackupRun } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { BackupParams, NoteProofInput, StartBackupInput } from "./contract.ts";
import { findKeyFingerprint, findSchedule, forgetScheduled, writeProof } from "./store.ts";

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
