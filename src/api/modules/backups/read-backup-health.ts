import type { Context } from "#api/core/context.ts";
import { isAhead } from "#api/core/is-ahead.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { BackupHealth } from "./contract.ts";
import { nextTurn } from "./schedule.ts";
import { findLastBackup, findProof, findSchedule, findTurn } from "./store.ts";

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
