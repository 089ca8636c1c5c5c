import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { BackupState } from "./contract.ts";
import { readBackupHealth } from "./read-backup-health.ts";

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
