import type { Complaint } from "./account-rules.ts";
import { longSearchLength, shortSearchRows } from "./activity.ts";
import { activityTexts } from "./activity-texts.ts";
import { pageLimits } from "./limits.ts";

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
export type FilterDate = { ms: number; isDay: boolean };

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
