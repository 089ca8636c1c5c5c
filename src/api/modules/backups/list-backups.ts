import type { BackupEntry, BackupRun } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { type BackupSchedule, nextTurn } from "./schedule.ts";
import { findLastBackup, findSchedule, findTurn, type LastBackup } from "./store.ts";

/** Everything about backups: those that are kept, the newest making, the last success, and the schedule. */
export type BackupState = {
  backups: (Omit<BackupEntry, "createdAt"> & { createdAt: string })[];
  storageFault: string | null;
  hasStorage: boolean;
  run: BackupRun | null;
  last: LastBackup | null;
  schedule: BackupSchedule;
  /** When the schedule makes the next one; `null` while it is off. */
  nextAt: string | null;
};

/** See {@link BackupState}. For admins and the operator. */
export const listBackups = async (ctx: Context): Promise<BackupState> => {
  requireAdmin(ctx);
  const [{ backups, storageFault }, run, last, schedule, turn] = [
    await ctx.backups.list(),
    await ctx.backups.run(),
    await findLastBackup(ctx.db),
    await findSchedule(ctx.db),
    await findTurn(ctx.db),
  ];
  const next = schedule.isEnabled ? nextTurn(schedule, turn ?? ctx.clock.now()) : null;
  return {
    backups: backups.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })),
    storageFault,
    hasStorage: ctx.settings.current.bucket !== null,
    run,
    last,
    schedule,
    nextAt: next?.toISOString() ?? null,
  };
};
