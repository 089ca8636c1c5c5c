/** A size in kilobytes, megabytes or gigabytes, as the reader's language writes it; below a kilobyte in bytes. */
export const formatBytes = (bytes: number, locale?: string): string => {
  // What would be rounded to a thousand of a unit is one of the next.
  const { unit, size } = sizes.find((step) => bytes >= step.size * 0.9995) ?? { unit: "byte", size: 1 };
  const amount = bytes / size;
  const maximumFractionDigits = amount < 10 ? 1 : 0;
  const unitDisplay = unit === "byte" ? "long" : "short";
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(
    amount,
  );
};

const sizes = [
  { unit: "gigabyte", size: 1_000_000_000 },
  { unit: "megabyte", size: 1_000_000 },
  { unit: "kilobyte", size: 1_000 },
] as const;

/** A duration in its two largest units: "12d 4h", "5m 8s". */
export const formatDuration = (seconds: number, locale?: string): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = units.map(({ unit, size, within }) => ({ unit, amount: Math.floor(whole / size) % within }));
  const first = parts.findIndex(({ amount }) => amount > 0);
  const shown =
    first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(({ amount }) => amount > 0);
  return shown
    .map(({ unit, amount }) =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" }).format(amount),
    )
    .join(" ");
};

const units = [
  { unit: "day", size: 86_400, within: Number.POSITIVE_INFINITY },
  { unit: "hour", size: 3_600, within: 24 },
  { unit: "minute", size: 60, within: 60 },
  { unit: "second", size: 1, within: 60 },
] as const;

/** Date and time to the minute in the reader's language and zone. */
export const formatDateTime = (iso: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/** The day in the reader's language and zone. */
export const formatDate = (iso: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(new Date(iso));

/** A whole number with the reader's separators. */
export const formatCount = (count: number, locale?: string): string =>
  new Intl.NumberFormat(locale).format(count);

/** Milliseconds, with a decimal below ten. */
export const formatMs = (ms: number, locale?: string): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "millisecond",
    maximumFractionDigits: ms < 10 ? 1 : 0,
  }).format(ms);

/** How many of something, in the words of the interface. */
export const counted = (amount: number, one: string, many = `${one}s`): string =>
  `${new Intl.NumberFormat("en").format(amount)} ${amount === 1 ? one : many}`;
