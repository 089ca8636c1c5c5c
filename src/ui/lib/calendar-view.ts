import { addDays, addMonths, calendarBounds, type DayRange, monthWeeks } from "./calendar-month.ts";

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
