/** Attribute of the elements in which today's date belongs; `mark` goes into the markup, `selector` finds them. */
export const today = { mark: { "data-today": "" }, selector: "time[data-today]" } as const;

/** A day as users read it, in the page's own language, and as machines do (`YYYY-MM-DD`); both in local time. */
type Day = { text: string; iso: string };

/** The day of an instant, for a language tag such as `en`. */
export const dayOf = (instant: Date, language: string): Day => {
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  return {
    text: new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(instant),
    iso: `${digits(instant.getFullYear(), 4)}-${digits(instant.getMonth() + 1, 2)}-${digits(instant.getDate(), 2)}`,
  };
};

/** Writes today's date into every element that waits for it. Pages made ahead of time cannot know it. */
export const fillToday = (): void => {
  const waiting = document.querySelectorAll<HTMLTimeElement>(today.selector);
  // A browser's first date formatter holds up a slow phone for 50 ms: pages without a date go without.
  if (waiting.length === 0) return;
  const { text, iso } = dayOf(new Date(), document.documentElement.lang);
  for (const element of waiting) {
    element.dateTime = iso;
    element.textContent = text;
  }
};

/** Day and time to the minute in the reader's language and zone, such as "Nov 20, 10:41 PM"; for what is not years ago. */
export const shortMoment = (iso: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(iso));

/** A time of day to the minute in the reader's language and zone, such as "2:32 PM". */
export const clockTime = (ms: number): string =>
  new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(ms);

/** A day in the reader's language and zone, such as "November 20, 2026". */
export const longDate = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(new Date(iso));
