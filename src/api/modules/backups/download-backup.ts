import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { BytesDownload } from "#api/modules/download.ts";
import type { BackupParams } from "./contract.ts";

/** The content of a backup. For admins and the operator; that it was taken is recorded. Throws `NOT_FOUND`. */
export const downloadBackup = async (ctx: Context, { place, name }: BackupParams): Promise<BytesDownload> => {
  requireAdmin(ctx);
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
