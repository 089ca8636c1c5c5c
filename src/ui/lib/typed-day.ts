/** A typed text as a day (`YYYY-MM-DD`), or what is wrong with it and how to mend it. */
export type TypedDay = { day: string; problem: null } | { day: null; problem: string };

/**
 * Reads a day as people write it: the year first with any separator or none (2026-01-31, 2026/1/31, 20260131), the day
 * first with dots (31.1.2026), and with strokes or dashes in whichever order gives a day (31/1/2026, 1/31/2026). Where
 * both orders give one, nobody is guessed at: browsers often speak another language than their reader.
 */
export const readTypedDay = (text: string): TypedDay => {
  const found = candidates(text.trim()).filter((day) => day !== null);
  const [day, other] = new Set(found);
  if (day === undefined) return { day: null, problem: texts.unreadable };
  if (other !== undefined) return { day: null, problem: texts.ambiguous(day, other) };
  return { day, problem: null };
};

const texts = {
  unreadable: "Please write the date as 2026-01-31",
  ambiguous: (day: string, other: string) => `Please write ${day} or ${other}: this could be both`,
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
