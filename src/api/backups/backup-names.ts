import { randomBytes } from "node:crypto";
import { stampOf } from "#api/core/ids.ts";

/** What a backup was made for; it stands in its name, because only scheduled ones are removed by themselves. */
type BackupReason = "manual" | "scheduled" | "before-restore";

const prefixes: Record<BackupReason, string> = {
  manual: "atrium-",
  scheduled: "atrium-scheduled-",
  "before-restore": "atrium-before-restore-",
};
const form =
  /^atrium-(?:scheduled-|before-restore-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{6}\.tar\.zst(?:\.age)?$/;

/** A name that no other backup has, telling when it was made (UTC) and whether it is encrypted. */
export const backupName = (at: Date, how: { reason: BackupReason; isEncrypted: boolean }): string => {
  const end = how.isEncrypted ? ".tar.zst.age" : ".tar.zst";
  return `${prefixes[how.reason]}${stampOf(at)}-${randomBytes(3).toString("hex")}${end}`;
};

/** Whether a name is one that {@link backupName} makes: anything else in the same place is left alone. */
export const isBackupName = (name: string): boolean => form.test(name);

/** Whether the schedule made it. */
export const isScheduledName = (name: string): boolean => name.startsWith(prefixes.scheduled);

/** When a backup was begun, from its name; `null` for another name. */
export const backupTime = (name: string): Date | null => {
  const [, ...parts] = form.exec(name) ?? [];
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = parts;
  return parts.length === 0 ? null : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
};
