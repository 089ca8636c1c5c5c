import { cleanupDays } from "./activity.ts";

/** Sentences about the activity log that pages say as well as the server. */
export const pageActivityTexts = {
  cleanupFailed: "Error cleaning up activities",
  none: "No activities found",
  daysOutOfBounds: `Please give a whole number of days from ${cleanupDays.least} to ${cleanupDays.most}`,
} as const;
