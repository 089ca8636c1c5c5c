import { requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { BackupSchedule, ScheduleChange } from "./contract.ts";
import { holdSchedule, writeSchedule } from "./store.ts";

/**
 * Sets when backups are made by themselves; fields that are absent keep their values. The next one is due as counted from
 * now. For admins and the operator. Throws `CONFLICT` for object storage that is not set up, and `VALIDATION_FAILED` for a
 * recipient for whom nothing could be encrypted.
 */
export const setSchedule = async (ctx: Context, change: ScheduleChange) => {
  requireAdmin(ctx);
  await refuseBadRecipients(change.recipients ?? []);
  const { after } = await adminAction(
    ctx,
    {
      type: "configuration_changed",
      severity: "medium",
      action: "Changed the backup schedule",
      described: (made: { before: BackupSchedule; after: BackupSchedule }) => ({
        description: made.after.isEnabled ? backupTexts.scheduled : backupTexts.unscheduled,
        before: recorded(made.before),
        after: recorded(made.after),
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
  return { message, data: after };
};

/** How a schedule is in the log. For whom they are encrypted stays in it too: a recipient that was exchanged is seen. */
const recorded = (schedule: BackupSchedule) => ({
  ...schedule,
  isEncrypted: schedule.recipients.length > 0,
});

/** A schedule that none of its backups could be made by would be found out in the night. */
const refuseBadRecipients = async (recipients: readonly string[]): Promise<void> => {
  const complaints = await Promise.all(recipients.map(recipientComplaint));
  const errors = complaints.flatMap((message, at) =>
    message === null ? [] : [{ path: `recipients.${at}`, message }],
  );
  if (errors.length > 0) throw validationError(errors);
};

/** Complaint about a text that should be an age recipient, with the checksum at its end, or `null`. */
export const recipientComplaint = async (text: string): Promise<string | null> => {
  // More code than many a module: a server that makes no backup does without.
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(text);
    return null;
  } catch {
    return backupTexts.badRecipient;
  }
};
