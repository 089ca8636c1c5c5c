import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { StartBackupInput } from "./contract.ts";
import { findSchedule } from "./store.ts";

/**
 * Begins a backup, which is made while the server goes on; the list tells how far it is. For admins and the operator; the
 * installation's key goes along for the operator alone.
 */
export const startBackup = async (
  ctx: Context,
  { place = "folder", recipients, includeKey = false }: StartBackupInput,
) => {
  requireAdmin(ctx);
  if (includeKey && ctx.actor.kind !== "operator")
    throw new AppError("FORBIDDEN", backupTexts.keyForOperator);
  const lock = recipients ?? (await findSchedule(ctx.db)).recipients;
  const order = { place, recipients: lock, isScheduled: false, isWithKey: includeKey };
  const run = await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: "medium",
      action: "Began a backup",
      description: `To ${place}, ${lock.length === 0 ? "not encrypted" : "encrypted"}${includeKey ? ", with the installation's key" : ""}`,
    },
    (tx) => ctx.backups.claim(tx, order),
  );
  void ctx.backups.make(run, order);
  return { message: backupTexts.started, data: run };
};
