import { cleanupDays, searchedRows } from "./activity.ts";
import { pageLimits } from "./limits.ts";

/** Sentences about the activity log that pages say as well as the server. */
export const pageActivityTexts = {
  cleanupFailed: "Error cleaning up activities",
  none: "No activities found",
  daysOutOfBounds: `Please give a whole number of days from ${cleanupDays.least} to ${cleanupDays.most}`,
} as const;

const daysText = (days: number): string => `${days} ${days === 1 ? "day" : "days"}`;
const countText = (count: number): string => count.toLocaleString("en-US");

/** Sentences about the activity log that several doors show. */
export const activityTexts = {
  ...pageActivityTexts,
  wordUnknown: (allowed: readonly string[]) =>
    `Please choose from ${allowed.join(", ")}; separate several with commas`,
  pluginNameInvalid: `Please give names of at most ${pageLimits.nameLength} characters, separated by commas`,
  dateInvalid: "Please give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z",
  cleanedUp: (count: number) => `Successfully cleaned up ${count} old activity records.`,
  wouldCleanUp: (count: number, days: number) =>
    `Would permanently remove ${countText(count)} ${count === 1 ? "activity that is" : "activities that are"} older than ${daysText(days)}`,
  wouldKeep: (days: number | null, older: number) =>
    days === null
      ? "Would keep all activities until someone cleans up"
      : `Would remove activities older than ${daysText(days)}, currently ${countText(older)}`,
  unknown: "This activity doesn't exist; it may have been cleaned up",
  securityInvalid: "Please say true or false",
  endBeforeStart: "Please choose an end that is not before the start",
  searchTooLong: `Please search for at most ${pageLimits.activitySearchLength} characters`,
  offsetBeyondSearch: `Only the newest ${searchedRows} matches of a search are counted; please continue from there with before`,
  idInvalid: "Please give the id of an activity",
  tooManyStreams: "Too many live views are open; please close one, or try again later",
  kept: (days: number | null) =>
    days === null
      ? "Activities are kept until someone cleans up"
      : `Activities are kept for ${daysText(days)}`,
} as const;
