import type { Complaint } from "./account-rules.ts";
import { pageLimits } from "./limits.ts";

/** What an activity can be about. */
export const activityTypes = [
  "plugin_installed",
  "plugin_updated",
  "plugin_removed",
  "plugin_enabled",
  "plugin_disabled",
  "plugin_hot_reloaded",
  "plugin_failed",
  "plugin_recovered",
  "permission_granted",
  "permission_revoked",
  "signature_verified",
  "signature_failed",
  "api_call",
  "network_request",
  "file_read",
  "file_write",
  "admin_action",
  "configuration_changed",
  "permission_violation",
  "suspicious_activity",
  "health_check_failed",
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** How it went. */
export const activityStatuses = ["success", "failure", "warning", "info"] as const;
export type ActivityStatus = (typeof activityStatuses)[number];

/** How much it matters, from little to much. */
export const activitySeverities = ["low", "medium", "high", "critical"] as const;
export type ActivitySeverity = (typeof activitySeverities)[number];

/** Who did it. A visitor is someone who was not signed in; the system is Atrium by itself. */
export const actorKinds = ["user", "operator", "token", "plugin", "system", "visitor"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The name under which activities of Atrium itself stand; no plugin can have it. */
export const coreName = "core";

/** The filters that are exact matches. */
export const activityFilterNames = ["type", "pluginName", "status", "severity", "actorKind"] as const;

/** Whether an activity counts for the tile of security events. */
export const isSecurityEvent = ({
  type,
  severity,
}: {
  type: ActivityType;
  severity: ActivitySeverity;
}): boolean => severity === "critical" || type.includes("security") || type.includes("permission");

/** A duration in words: under a second in ms, else in seconds with two decimals; `N/A` when absent. */
export const formatDuration = (durationMs: number | null): string => {
  if (durationMs === null) return "N/A";
  return durationMs < 1_000 ? `${durationMs}ms` : `${(durationMs / 1_000).toFixed(2)}s`;
};

/** The sizes of a page of the table; 25 unless chosen. */
export const activityPageSizes = [10, 25, 50, 100] as const;

/** How often the page looks again while auto-refresh is on and no stream is up. */
export const activityRefreshMs = 30_000;

/** What clean-up removes unless told otherwise, and the bounds of its choice, in days. */
export const cleanupDays = { default: 90, least: 1, most: 3_650 } as const;

/** How many matches of a text search are looked at for total and stats. */
export const searchedRows = 1_000;

/** A search of one or two letters looks at this many of the newest rows. */
export const shortSearchRows = 10_000;

/** Of how many letters on a search is answered from all rows. */
export const longSearchLength = 3;

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

/** The words of a filter that takes one or several, separated by commas. */
export const wordsIn = (text: string): string[] => text.split(",").map((word) => word.trim());

/** Complaint about a filter that takes some of `allowed`; it names them. */
export const wordsComplaint =
  (allowed: readonly string[]) =>
  (text: string): Complaint =>
    wordsIn(text).every((word) => allowed.includes(word)) ? null : activityTexts.wordUnknown(allowed);

/** Complaint about a filter of plugins' names. That no such plugin is known is none: it had activities once, perhaps. */
export const pluginNamesComplaint = (text: string): Complaint =>
  wordsIn(text).every((name) => name !== "" && name.length <= pageLimits.nameLength)
    ? null
    : activityTexts.pluginNameInvalid;

/**
 * In how many of the newest activities a text is looked for; `null` for all of them. The index is made of letters and
 * digits: without three of them nearly every row would have to be read.
 */
export const newestSearched = (search: string): number | null => {
  const length = search.match(letterOrDigit)?.length ?? 0;
  return search.trim() === "" || length >= longSearchLength ? null : shortSearchRows;
};

const letterOrDigit = /[\p{L}\p{N}]/gu;

/** A day in UTC, or a moment of one: when it begins, in milliseconds since 1970. */
type FilterDate = { ms: number; isDay: boolean };

const day = /^(\d{4})-(\d{2})-(\d{2})/;
const clock = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads `2026-01-31`, or a moment with its offset as in RFC 3339 §5.6, from 1900 to 9999; seconds may be left out, and
 * what is finer than a millisecond is cut off. `null` for everything else, days that no calendar has included.
 */
export const readFilterDate = (text: string): FilterDate | null => {
  const [date, year, month, dayOfMonth] = day.exec(text) ?? [];
  if (date === undefined || Number(year) < 1900) return null;
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth)));
  if (!midnight.toISOString().startsWith(date)) return null;
  const time = text.slice(date.length);
  if (time === "") return { ms: midnight.getTime(), isDay: true };
  if (!clock.test(time)) return null;
  return { ms: Date.parse(date + time.replace(/(\.\d{3})\d+/, "$1")), isDay: false };
};

/** Complaint about a date to filter by. */
export const filterDateComplaint = (text: string): Complaint =>
  readFilterDate(text) === null ? activityTexts.dateInvalid : null;
