import { cleanupDays } from "./activity.ts";
import { pageLimits } from "./page-limits.ts";

/** Sentences about the activity log that pages say as well as the server. */
export const pageActivityTexts = {
  cleanupFailed: "Error cleaning up activities",
  none: "No activities found",
  daysOutOfBounds: `Please give a whole number of days from ${cleanupDays.least} to ${cleanupDays.most}`,
  wordUnknown: (allowed: readonly string[]) =>
    `Please choose from ${allowed.join(", ")}; several are separated by commas`,
  pluginNameInvalid: `Please give names of at most ${pageLimits.nameLength} characters, separated by commas`,
  dateInvalid: "Please give a date as 2026-01-31, or a moment as 2026-01-31T12:00:00Z",
} as const;
