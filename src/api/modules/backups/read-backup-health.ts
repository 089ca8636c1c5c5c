import type { BackupRun } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { isAhead } from "#api/core/is-ahead.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { type BackupSchedule, nextTurn } from "./schedule.ts";
import {
  type BackupProof,
  findLastBackup,
  findProof,
  findSchedule,
  findTurn,
  type LastBackup,
} from "./store.ts";

/** Whether backups are made: the newest making, the last success, the newest trial restore, and the schedule. */
export type BackupHealth = {
  run: BackupRun | null;
  last: LastBackup | null;
  proof: BackupProof | null;
  schedule: BackupSchedule;
  /** When the schedule makes the next one; `null` while it is off. */
  nextAt: string | null;
};

/** See {@link BackupHealth}: from the database alone, however far away the backups lie. For admins and the operator. */
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
