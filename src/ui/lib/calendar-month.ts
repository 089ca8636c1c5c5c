/** First and last day that may be chosen where nothing else is said. */
export const calendarBounds = { min: "1900-01-01", max: "2099-12-31" } as const;

/** The days that may be chosen, as `YYYY-MM-DD`; a side left out ends with {@link calendarBounds}. */
export type DayRange = { min?: string | undefined; max?: string | undefined };

/** The day so many days later, or earlier when negative. Days are `YYYY-MM-DD` throughout this file. */
export const addDays = (day: string, count: number): string => {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + count);
  return iso(date);
};

/** The same day of the month so many months later; the month's last day where it has no such day. */
export const addMonths = (day: string, count: number): string => {
  const date = utc(day);
  const wanted = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + count + 1, 0);
  date.setUTCDate(Math.min(wanted, date.getUTCDate()));
  return iso(date);
};

/** The day's place in its week, from 0, in weeks that begin with weekday `first` (1 Monday … 7 Sunday). */
const placeInWeek = (day: string, first: number): number => (utc(day).getUTCDay() - first + 7) % 7;

/** The weeks that show the day's month: always six, so that a calendar keeps its height. */
export const monthWeeks = (day: string, first: number): string[][] => {
  const opening = `${monthOf(day)}-01`;
  const start = -placeInWeek(opening, first);
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => addDays(opening, start + week * 7 + weekday)),
  );
};

/** The month of a day as `YYYY-MM`. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** Whether a day may be chosen. */
export const isInRange = (day: string, range: DayRange): boolean => clampDay(day, range) === day;

/** The day itself, or the nearest one that may be chosen. */
export const clampDay = (
  day: string,
  { min = calendarBounds.min, max = calendarBounds.max }: DayRange,
): string => {
  // Compared as times: a year of five digits is not written so that texts would sort.
  if (utc(day) < utc(min)) return min;
  return utc(day) > utc(max) ? max : day;
};

/** The weekday that weeks begin with where this language is spoken: 1 Monday … 7 Sunday; Monday where nobody knows. */
export const firstWeekday = (locale: string): number => {
  const known = new Intl.Locale(locale);
  // Firefox does not tell.
  return "getWeekInfo" in known ? known.getWeekInfo().firstDay : 1;
};

/** Writes days in words, the same in every time zone. Make one for many days: a formatter is dear, its use is not. */
export const dayWriter = (
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): ((day: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  return (day) => format.format(utc(day));
};

const utc = (day: string) => new Date(`${day}T00:00:00Z`);

const iso = (date: Date) => date.toISOString().slice(0, -"T00:00:00.000Z".length);
