/** What the list of addresses shows; it stands in the address bar. */
type AddressQuery = { kind: "allow" | "deny" | null; search: string; sort: AddressSort; page: number };

/** How the list can be ordered; the first is the usual one. */
const addressSorts = ["created", "range", "hits"] as const;
type AddressSort = (typeof addressSorts)[number];

/** Rows of a page. */
export const pageSize = 50;

/** Reads the query of the address bar; what makes no sense counts as the usual. */
export const readQuery = (params: URLSearchParams): AddressQuery => ({
  kind: (["allow", "deny"] as const).find((kind) => kind === params.get("kind")) ?? null,
  search: params.get("search") ?? "",
  sort: addressSorts.find((sort) => sort === params.get("sort")) ?? "created",
  page: readPage(params),
});

/** The page that an address asks for, from 1. */
export const readPage = (params: URLSearchParams): number => {
  const page = Number(params.get("page") ?? 1);
  return Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : 1;
};

const hourMs = 3_600_000;
/** How long an entry can be valid, in milliseconds from now; `null` for permanently. */
const lengths = {
  never: null,
  "1h": hourMs,
  "12h": 12 * hourMs,
  "1d": 24 * hourMs,
  "7d": 168 * hourMs,
  "30d": 720 * hourMs,
} as const;

/** How long an entry can be valid, by name; `keep` is as it is, `moment` one to be chosen. */
export type ExpiryChoice = keyof typeof lengths | "moment" | "keep";

/** A choice by its name; what is none counts as permanent. */
export const readExpiry = (text: string): ExpiryChoice => {
  if (text === "keep" || text === "moment") return text;
  return Object.hasOwn(lengths, text) ? (text as keyof typeof lengths) : "never";
};

/**
 * When an entry ends, in ISO 8601: `null` for never, `undefined` for as it is now. `moment` is what a `datetime-local` field
 * holds, in the reader's own time.
 */
export const expiresAtOf = (choice: ExpiryChoice, { moment, now }: { moment: string; now: number }) => {
  if (choice === "keep") return undefined;
  if (choice === "moment") return new Date(moment).toISOString();
  const length = lengths[choice];
  return length === null ? null : new Date(now + length).toISOString();
};

/** Whether a `datetime-local` text is a moment after `now`. */
export const isToCome = (moment: string, now: number): boolean => Date.parse(moment) > now;

/** In which format a text to import is written, by its file's name or how it begins; `null` where neither tells. */
export const formatOf = (text: string, name: string): "csv" | "json" | null => {
  if (/\.json$/i.test(name)) return "json";
  if (/\.csv$/i.test(name)) return "csv";
  const start = text.trimStart().charAt(0);
  if (start === "") return null;
  return start === "[" || start === "{" ? "json" : "csv";
};
