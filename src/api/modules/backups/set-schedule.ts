import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { BackupSchedule } from "./schedule.ts";
import { holdSchedule, writeSchedule } from "./store.ts";

/**
 * Sets when backups are made by themselves; fields that are absent keep their values. The next one is due as counted from
 * now. For admins and the operator. Throws `CONFLICT` for object storage that is not set up.
 */
export const setSchedule = async (ctx: Context, change: Partial<BackupSchedule>) => {
  const { after } = await adminAction(
    ctx,
    {
      type: "configuration_changed",
      severity: "medium",
      action: "Set when backups are made",
      described: (made: { before: BackupSchedule; after: BackupSchedule }) => ({
        description: made.after.isEnabled ? backupTexts.scheduled : backupTexts.unscheduled,
        ...made,
      }),
    },
    async (tx) => {
      const before = await holdSchedule(tx);
      const after = { ...before, ...change };
      if (after.isEnabled && after.place === "storage" && ctx.settings.current.bucket === null)
        throw new AppError("CONFLICT", backupTexts.noStorage);
      await writeSchedule(tx, after, ctx.clock.now());
      return { before, after };
    },
  );
  const message = after.isEnabled ? backupTexts.scheduled : backupTexts.unscheduled;
  return { success: true as const, message, data: after };
};
