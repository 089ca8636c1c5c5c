import type { BackupRun } from "#api/core/backups.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";

/** How far the newest making of a backup is, whichever server it runs on. For admins and the operator. */
export const readRun = async (ctx: Context): Promise<BackupRun | null> => {
  requireAdmin(ctx);
  return ctx.backups.run();
};
