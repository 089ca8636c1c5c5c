import { noteActivity } from "#api/core/activity.ts";
import { requireAdmin, requirePerson } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { BackupRun } from "#api/core/backups.ts";
import { isAhead } from "#api/core/clock.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { BytesDownload } from "#api/modules/download.ts";
import type { BackupHealth, BackupParams, BackupState } from "./contract.ts";
import { nextTurn } from "./schedule.ts";
import { findLastBackup, findProof, findSchedule, findScheduleStart, findTurn } from "./store.ts";

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
