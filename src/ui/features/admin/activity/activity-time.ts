/** The day in the reader's language and zone, without its year. */
export const rowDay = (iso: string): string => dayFormat.format(new Date(iso));

/** The time of day to the second. */
export const rowTime = (iso: string): string => timeFormat.format(new Date(iso));

/** Day and time to the second, in full. */
export const fullTime = (iso: string): string => fullFormat.format(new Date(iso));

// Made once: making one takes longer than formatting a whole page of rows with it.
const dayFormat = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
