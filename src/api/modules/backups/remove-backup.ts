import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { BackupPlace } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import { forgetScheduled } from "./store.ts";

/** Which backup is meant. */
export type BackupParams = { place: BackupPlace; name: string };

/** Removes a backup for good. For admins and the operator. Throws `NOT_FOUND`. */
export const removeBackup = async (ctx: Context, { place, name }: BackupParams) => {
  requireAdmin(ctx);
  if ((await ctx.backups.open(place, name)) === null) throw new AppError("NOT_FOUND");
  await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: place === "handover" ? "low" : "high",
      action: place === "handover" ? "Took a backup away" : "Removed a backup",
      description: name,
    },
    async () => {},
  );
  // Behind its row in the log: what cannot be recorded is not done.
  await ctx.backups.remove(place, name);
  await forgetScheduled(ctx.db, name);
  return { success: true as const, message: backupTexts.removed };
};
