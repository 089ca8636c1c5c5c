const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A size for a person, in steps of 1,000: "512 bytes", "1.5 MB". */
export const formatBytes = (bytes: number): string => {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
};

/** A span of seconds in its two largest units: "42 s", "3 h 5 min", "2 d 0 h". */
export const formatDuration = (seconds: number): string => {
  const [minutes, hours, days] = [
    Math.floor(seconds / 60),
    Math.floor(seconds / 3600),
    Math.floor(seconds / 86_400),
  ];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

/** An instant in UTC to the minute, "2026-11-20 18:40Z"; "never" for `null`. */
export const formatMinute = (iso: string | null): string =>
  iso === null ? "never" : `${iso.slice(0, 16).replace("T", " ")}Z`;

/** An instant in UTC to the second, "2026-11-20 18:40:12Z". */
export const formatSecond = (iso: string): string => `${iso.slice(0, 19).replace("T", " ")}Z`;

/** A number of things for a person: "1,234,567". */
export const formatCount = (count: number): string => {
  // Created on first use: a server, which shows no counts, starts sooner without it.
  counts ??= new Intl.NumberFormat("en");
  return counts.format(count);
};

let counts: Intl.NumberFormat | null = null;

/** So many of a thing, for a person: "1 file", "2 files", "1,200 activities". `one` is what a single one is called. */
export const counted = (count: number, one: string): string =>
  `${formatCount(count)} ${count === 1 ? one : severalOf(one)}`;

const severalOf = (one: string): string => (/[^aeiou]y$/.test(one) ? one.replace(/y$/, "ies") : `${one}s`);

/** A page's place in its list, as the API answers it. */
type Pagination = { total: number; totalIsEstimate: boolean; limit: number; offset: number };

/** How many there are in all: of a search beyond what is counted, that there are more. */
export const totalText = ({
  total,
  totalIsEstimate,
}: Pick<Pagination, "total" | "totalIsEstimate">): string =>
  `${totalIsEstimate ? "more than " : ""}${formatCount(total)}`;

/** The option for the next page after so many rows; empty at the end. */
export const nextText = (pagination: Pagination, rows: number): string => {
  const { total, totalIsEstimate, limit, offset } = pagination;
  const end = offset + rows;
  return end < total || (totalIsEstimate && rows === limit) ? `; see the next with --offset ${end}` : "";
};
