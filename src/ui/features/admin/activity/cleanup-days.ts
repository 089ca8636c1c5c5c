import type { Complaint } from "#contract/account-rules.ts";
import { cleanupDays } from "#contract/activity.ts";
import { pageActivityTexts } from "#contract/activity-texts.ts";
import { cleanupTexts } from "./texts.ts";

/** The number of days that was typed, `null` for anything but a whole number within the bounds of cleaning up. */
export const readDayCount = (text: string): number | null => {
  const typed = text.trim();
  const days = Number(typed);
  return /^\d+$/.test(typed) && days >= cleanupDays.least && days <= cleanupDays.most ? days : null;
};

/** Complaint about a number of days. */
export const dayCountComplaint = (text: string): Complaint =>
  readDayCount(text) === null ? pageActivityTexts.daysOutOfBounds : null;

/** Whether keeping activities for what was typed instead of `days` (`null` for ever) removes some that were to stay. */
export const isShorter = (text: string, days: number | null): boolean => {
  const typed = readDayCount(text);
  return typed !== null && (days === null || typed < days);
};

/** Complaint about the words that confirm a clean-up. */
export const wordComplaint = (text: string): Complaint =>
  text.trim().toLowerCase() === cleanupTexts.word ? null : cleanupTexts.mismatch;
