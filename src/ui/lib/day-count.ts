import { dayWriter } from "./calendar-month.ts";

/** What one day counts: all of it, and how much of that failed. `date` is `YYYY-MM-DD`. */
export type DayCount = { date: string; total: number; failures: number };

/** Says a day with its numbers: "21 November: 124, 3 failed" as the reader's language writes days and numbers. */
export const dayCountWriter = (locale?: string): ((count: DayCount) => string) => {
  const writeDay = dayWriter(locale, { day: "numeric", month: "long" });
  const { format } = new Intl.NumberFormat(locale);
  return ({ date, total, failures }) =>
    `${writeDay(date)}: ${format(total)}${failures > 0 ? `, ${format(failures)} failed` : ""}`;
};

/**
 * Heights of a day's bar and of its failed part, in percent of the highest bar's. What is not nothing is at least 4 %, so
 * that a single failure among thousands is seen.
 */
export const barHeights = (
  { total, failures }: DayCount,
  most: number,
): { total: number; failures: number } => {
  const height = (count: number) => (count === 0 ? 0 : Math.max(4, Math.round((count / most) * 1_000) / 10));
  return { total: height(total), failures: height(failures) };
};
