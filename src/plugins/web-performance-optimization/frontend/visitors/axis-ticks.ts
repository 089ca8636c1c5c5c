import { texts } from "../texts.ts";

/** A word on the time axis: of which bar, and how it lies to that bar's middle. */
export type Tick = { index: number; text: string; side: "start" | "middle" | "end" };

const parts = 4;

/**
 * What stands below a chart of so many days, whose bars begin at these instants: both ends, and what lies a quarter, a half
 * and three quarters between them. Hours are in the reader's own time and name their day; days are those of UTC.
 */
export const axisTicks = (starts: readonly string[], days: number): Tick[] => {
  if (starts.length === 0) return [];
  const last = starts.length - 1;
  const wanted = Array.from({ length: parts + 1 }, (_, part) => Math.round((last * part) / parts));
  const { format } = new Intl.DateTimeFormat(
    undefined,
    days === 1 ? { weekday: "short", hour: "numeric" } : { day: "numeric", month: "short", timeZone: "UTC" },
  );
  const textAt = (index: number): string => {
    if (days === 1 && index === 0) return texts.dayAgo;
    return days === 1 && index === last ? texts.now : format(new Date(starts[index] ?? ""));
  };
  return [...new Set(wanted)].map((index) => ({ index, text: textAt(index), side: sideOf(index, last) }));
};

const sideOf = (index: number, last: number): Tick["side"] => {
  if (index === 0) return "start";
  return index === last ? "end" : "middle";
};
