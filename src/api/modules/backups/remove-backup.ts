import type { ActivityEntry } from "#api/core/activity.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { OwnPlan } from "#api/core/dry-run.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { BackupParams } from "./contract.ts";
import { forgetScheduled } from "./store.ts";

/** Removes a backup for good. For admins and the operator. Throws `NOT_FOUND`. */
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
  action: place === "handover" ? "Took a backup away" : "Removed a backup",
  description: name,
});
