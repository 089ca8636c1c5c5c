/** Day and time to the minute in the reader's language and zone, such as "Nov 20, 10:41 PM"; for what is not years ago. */
export const shortMoment = (iso: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(iso));
