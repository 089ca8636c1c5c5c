import { adminAction } from "#api/core/admin-action.ts";
import type { BackupRun } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { backupTexts } from "#contract/backup-texts.ts";

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
      action: "Cancelled a backup",
      described: ({ startedAt, place }: BackupRun) => ({
        description: `The one begun at ${startedAt}, to ${place}`,
      }),
    },
    (tx) => ctx.backups.cancel(tx),
  );
  await ctx.backups.halt(run);
  return { message: backupTexts.cancelling };
};
