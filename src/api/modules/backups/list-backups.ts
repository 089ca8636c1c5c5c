import type { BackupEntry } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { type BackupHealth, readBackupHealth } from "./read-backup-health.ts";

/** Everything about backups: those that are kept, and whether they are made. */
export type BackupState = BackupHealth & {
  backups: (Omit<BackupEntry, "createdAt"> & { createdAt: string })[];
  storageFault: string | null;
  hasStorage: boolean;
};

/** See {@link BackupState}. For admins and the operator. */
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
