const secondMs = 1_000;
const units = [
  { unit: "year", ms: 365 * 86_400 * secondMs },
  { unit: "month", ms: 30 * 86_400 * secondMs },
  { unit: "week", ms: 7 * 86_400 * secondMs },
  { unit: "day", ms: 86_400 * secondMs },
  { unit: "hour", ms: 3_600 * secondMs },
  { unit: "minute", ms: 60 * secondMs },
] as const;

/**
 * How long before `nowMs` a moment was, in its largest whole unit and the reader's language: "3 hours ago", "yesterday".
 * Less than a minute, or the future by a clock that goes wrong, is "now".
 */
export const relativeTime = (iso: string, nowMs: number, locale?: string): string => {
  const agoMs = Math.max(0, nowMs - Date.parse(iso));
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const fitting = units.find(({ ms }) => agoMs >= ms);
  if (fitting === undefined) return format.format(0, "second");
  return format.format(-Math.floor(agoMs / fitting.ms), fitting.unit);
};

/** The exact moment in the reader's language and zone. */
export const exactTime = (iso: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium" }).format(new Date(iso));

/** How long to wait, as a sentence in whole minutes; `waitS` is in seconds. */
export const tryAgainIn = (waitS: number): string => {
  const minutes = Math.ceil(waitS / 60);
  return `Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
};
