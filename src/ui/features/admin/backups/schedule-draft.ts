import type { BackupSchedule, ScheduleChange } from "#api/modules/backups/contract.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { backupBounds, pageBackupTexts } from "#contract/backup-texts.ts";
import { scheduleTexts as texts } from "./texts.ts";

/** How the schedule counts. */
export type ScheduleMode = "off" | "hours" | "daily";

/** What was typed into the schedule's fields; those that the mode does not show are empty. */
export type TypedSchedule = Record<
  "mode" | "hours" | "dailyAt" | "place" | "keepLast" | "keepDays" | "recipients",
  string
>;

/** How a schedule counts. */
export const modeOf = ({ isEnabled, every }: BackupSchedule): ScheduleMode => {
  if (!isEnabled) return "off";
  return "hours" in every ? "hours" : "daily";
};

const isWhole = (text: string, most: number) => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most;
};

/** What the server would say of each field, in its own words. */
export const scheduleRules = {
  mode: (): Complaint => null,
  hours: (text: string, { mode }: TypedSchedule): Complaint =>
    mode !== "hours" || isWhole(text, backupBounds.everyHours) ? null : pageBackupTexts.badHours,
  dailyAt: (text: string, { mode }: TypedSchedule): Complaint =>
    mode !== "daily" || /^([01]\d|2[0-3]):[0-5]\d$/.test(text.trim()) ? null : pageBackupTexts.badTime,
  place: (): Complaint => null,
  keepLast: (text: string): Complaint =>
    text.trim() === "" || isWhole(text, backupBounds.keepLast) ? null : pageBackupTexts.badKept,
  keepDays: (text: string): Complaint =>
    text.trim() === "" || isWhole(text, backupBounds.keepDays) ? null : pageBackupTexts.badDays,
  recipients: (text: string): Complaint =>
    linesOf(text).every((line) => /^age1[02-9ac-hj-np-z]{58}$/.test(line)) ? null : texts.badRecipient,
};

const linesOf = (text: string) => text.split(/[\s,]+/).filter((line) => line !== "");
const countOf = (text: string) => (text.trim() === "" ? null : Number(text));

/** What to send for it; while it is off, what it was before stays for the next time. */
export const readTyped = (typed: TypedSchedule): ScheduleChange => ({
  isEnabled: typed.mode !== "off",
  ...(typed.mode === "hours" && { every: { hours: Number(typed.hours) } }),
  ...(typed.mode === "daily" && { every: { dailyAt: typed.dailyAt.trim() } }),
  place: typed.place === "storage" ? "storage" : "folder",
  keepLast: countOf(typed.keepLast),
  keepDays: countOf(typed.keepDays),
  recipients: linesOf(typed.recipients),
});

/** The field of this form that a path of the server's complaint is about. */
export const fieldOf = (path: string, mode: string): string => {
  const [name = ""] = path.split(".");
  if (name !== "every") return name;
  return mode === "hours" ? "hours" : "dailyAt";
};
