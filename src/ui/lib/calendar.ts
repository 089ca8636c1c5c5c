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

/** The weekday that weeks begin with where this language is spoken: 1 Monday … 7 Sunday; Monday where no one knows. */
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

/** What the cells of a calendar's grid are. */
export type CalendarView = "year" | "month" | "day";

const lengths = { year: 4, month: 7, day: 10 } as const;

/** What all days (`YYYY-MM-DD`) of one cell have in common: `2026`, `2026-01` or the day itself. */
export const cellOf = (day: string, view: CalendarView): string => day.slice(0, lengths[view]);

type Layout = DayRange & { perRow: number; firstWeekday: number };

/**
 * The rows of a view's cells, each as the day that choosing it leads to: the weeks of the day's month, the months of its
 * year, or all years.
 */
export const viewRows = (view: CalendarView, day: string, layout: Layout): string[][] => {
  if (view === "day") return monthWeeks(day, layout.firstWeekday);
  const [months, first, last] =
    view === "month" ? [1, 1, 12] : [12, yearOf(earliest(layout)), yearOf(latest(layout))];
  const own = view === "month" ? Number(day.slice(5, 7)) : yearOf(day);
  const cells = Array.from({ length: last - first + 1 }, (_, index) =>
    addMonths(day, (first + index - own) * months),
  );
  return Array.from({ length: Math.ceil(cells.length / layout.perRow) }, (_, row) =>
    cells.slice(row * layout.perRow, (row + 1) * layout.perRow),
  );
};

const yearOf = (day: string) => Number(day.slice(0, 4));

// Years that may not be chosen are shown none the less, as days are.
const earliest = ({ min = calendarBounds.min }: DayRange) =>
  min < calendarBounds.min ? min : calendarBounds.min;
const latest = ({ max = calendarBounds.max }: DayRange) =>
  max > calendarBounds.max ? max : calendarBounds.max;

// About as many rows of years as are in sight.
const rowsPerPage = 6;

/** Where a key leads to from a day, in a grid of such rows; `null` for keys that lead nowhere. */
export const dayByKey = (
  { key, shiftKey }: { key: string; shiftKey: boolean },
  view: CalendarView,
  day: string,
  rows: readonly (readonly string[])[],
): string | null => {
  const perRow = rows[0]?.length ?? 1;
  const row = rows.find((cells) => cells.some((cell) => cellOf(cell, view) === cellOf(day, view)));
  const page = { year: 12 * perRow * rowsPerPage, month: 12, day: shiftKey ? 12 : 1 }[view];
  const by = (cells: number) =>
    view === "day" ? addDays(day, cells) : addMonths(day, view === "year" ? cells * 12 : cells);
  switch (key) {
    case "ArrowLeft":
      return by(-1);
    case "ArrowRight":
      return by(1);
    case "ArrowUp":
      return by(-perRow);
    case "ArrowDown":
      return by(perRow);
    case "Home":
      return row?.[0] ?? null;
    case "End":
      return row?.at(-1) ?? null;
    case "PageUp":
      return addMonths(day, -page);
    case "PageDown":
      return addMonths(day, page);
    default:
      return null;
  }
};

/** A typed text as a day (`YYYY-MM-DD`), or what is wrong with it and how to fix it. */
type TypedDay = { day: string; problem: null } | { day: null; problem: string };

/**
 * Reads a day as users write it: the year first with any separator or none (2026-01-31, 2026/1/31, 20260131), the day
 * first with dots (31.1.2026), and with strokes or dashes in whichever order gives a day (31/1/2026, 1/31/2026). Where
 * both orders give one, no one is guessed at: browsers often speak another language than their reader.
 */
export const readTypedDay = (text: string): TypedDay => {
  const found = candidates(text.trim()).filter((day) => day !== null);
  const [day, other] = new Set(found);
  if (day === undefined) return { day: null, problem: texts.unreadable };
  if (other !== undefined) return { day: null, problem: texts.ambiguous(day, other) };
  return { day, problem: null };
};

const texts = {
  unreadable: "Enter the date as 2026-01-31",
  ambiguous: (day: string, other: string) => `Enter ${day} or ${other}: this date could mean either`,
} as const;

const candidates = (text: string): (string | null)[] => {
  const yearFirst = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})\.?$/.exec(text);
  if (yearFirst !== null) {
    const [, year = "", separator = "", month = "", day = ""] = yearFirst;
    const isWhole = separator !== "" || text.length === 8;
    return isWhole ? [realDay(year, month, day)] : [];
  }
  const yearLast = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/.exec(text);
  if (yearLast === null) return [];
  const [, first = "", separator = "", second = "", year = ""] = yearLast;
  const dayFirst = realDay(year, second, first);
  return separator === "." ? [dayFirst] : [dayFirst, realDay(year, first, second)];
};

/** The day, or `null` where the calendar has none such (30 February) or its year is no year of ours (0026). */
const realDay = (year: string, month: string, day: string): string | null => {
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return isReal && year >= "1000" ? iso : null;
};
