import { validationError } from "#api/core/app-error.ts";
import {
  activityFilterNames,
  activityTexts,
  isSecurityEvent,
  longSearchLength,
  readFilterDate,
  wordsIn,
} from "#contract/activity.ts";
import type { Activity } from "./contract.ts";

/** A filter from a query, each field already checked; an empty field is not applied. */
export type ActivityFilterQuery = Partial<
  Record<(typeof activityFilterNames)[number] | "search" | "startDate" | "endDate", string>
> & { security?: "true" | "false" | "" };

/**
 * What activities are filtered by; times in milliseconds since 1970. Fields that are absent, empty or `null` are not
 * applied.
 */
export type ActivityFilter = {
  words: readonly { name: (typeof activityFilterNames)[number]; allowed: ReadonlySet<string> }[];
  /** Whether only security events match. */
  isSecurity: boolean;
  search: string;
  fromMs: number | null;
  /** The first time after the range. */
  toMs: number | null;
};

/** What one number in the log stands for: see the table of kinds. */
export type KindNames = Pick<Activity, (typeof activityFilterNames)[number]>;

const dayMs = 24 * 60 * 60 * 1000;

/** Reads a query with checked fields. Throws a 422 for an end before the start. */
export const readFilter = (query: ActivityFilterQuery): ActivityFilter => {
  const words = activityFilterNames.flatMap((name) => {
    const text = query[name];
    return !text ? [] : [{ name, allowed: new Set(wordsIn(text)) }];
  });
  const start = query.startDate ? readFilterDate(query.startDate) : null;
  const end = query.endDate ? readFilterDate(query.endDate) : null;
  // An end counts as a whole: its day, or its millisecond, which is the precision of recorded times.
  const toMs = end === null ? null : end.ms + (end.isDay ? dayMs : 1);
  if (start !== null && toMs !== null && toMs <= start.ms) {
    throw validationError([{ path: "endDate", message: activityTexts.endBeforeStart }]);
  }
  const isSecurity = query.security === "true";
  return { words, isSecurity, search: query.search?.trim() ?? "", fromMs: start?.ms ?? null, toMs };
};

/** Whether a kind matches the enumerated filters. */
export const matchesKind = (
  { words, isSecurity }: Pick<ActivityFilter, "words" | "isSecurity">,
  kind: KindNames,
): boolean =>
  (!isSecurity || isSecurityEvent(kind)) && words.every(({ name, allowed }) => allowed.has(kind[name]));

/** Whether an activity matches the whole filter. */
export const matches = (filter: ActivityFilter, activity: Activity): boolean => {
  const { search, fromMs, toMs } = filter;
  const ms = Date.parse(activity.timestamp);
  if (fromMs !== null && ms < fromMs) return false;
  if (toMs !== null && ms >= toMs) return false;
  if (!matchesKind(filter, activity)) return false;
  return search === "" || holdsText(activity, search.toLowerCase());
};

const holdsText = (activity: Activity, search: string): boolean =>
  searchedText(activity).includes(search) ||
  isNamed(activity, search) ||
  (isRequestIdStart(search) && activity.requestId?.startsWith(search) === true);

// Built like the database's column of that name.
const searchedText = ({ action, description, userEmail, ip }: Activity): string =>
  `${action}\n${description}\n${userEmail ?? ""}\n${ip ?? ""}`.toLowerCase();

/**
 * Whether a lowercase text is part of a kind's columns; a type is also found by its label. Two letters are part of most
 * of them, and match none.
 */
export const isNamed = ({ pluginName, type, status, severity }: KindNames, search: string): boolean =>
  search.length >= longSearchLength &&
  [pluginName.toLowerCase(), type, type.replaceAll("_", " "), status, severity].some((name) =>
    name.includes(search),
  );

/** Whether a lowercase text can be the beginning of a request id. */
export const isRequestIdStart = (search: string): boolean => /^[0-9a-f][0-9a-f-]{2,35}$/.test(search);

/** Rows between two times, to be counted one by one; the second time is exclusive. */
export type CountedSpan = { sign: 1 | -1; fromMs: number; toMs: number };

/**
 * How to count the rows between two times by whole days: those from `firstDay` to before `endDay`, in days since 1970,
 * `null` for no limit, and the corrections to add or subtract at the ends.
 */
export type DaySpan = { firstDay: number | null; endDay: number | null; corrections: CountedSpan[] };

/**
 * Splits the range between two times, in milliseconds since 1970, `null` for no limit, so that as little as possible is
 * counted one by one: at most half a day at each end.
 */
export const daySpan = (fromMs: number | null, toMs: number | null): DaySpan => {
  const firstDay = fromMs === null ? null : nearestDay(fromMs);
  const endDay = toMs === null ? null : nearestDay(toMs);
  const corrections = [
    ...(fromMs === null || firstDay === null ? [] : between(fromMs, firstDay * dayMs)),
    ...(toMs === null || endDay === null ? [] : between(endDay * dayMs, toMs)),
  ];
  const correctedMs = corrections.reduce((sum, part) => sum + part.toMs - part.fromMs, 0);
  if (fromMs !== null && toMs !== null && toMs - fromMs <= correctedMs) {
    return { firstDay: 0, endDay: 0, corrections: [{ sign: 1, fromMs, toMs }] };
  }
  return { firstDay, endDay, corrections };
};

const nearestDay = (ms: number): number => Math.round(ms / dayMs);

/** From one time to the other: to be added, or subtracted if they are in reverse order. */
const between = (fromMs: number, toMs: number): CountedSpan[] => {
  if (fromMs === toMs) return [];
  return fromMs < toMs ? [{ sign: 1, fromMs, toMs }] : [{ sign: -1, fromMs: toMs, toMs: fromMs }];
};

/** How many activities there are, in total and by each filter; only values that occur have an entry. */
type ActivityCounts = {
  total: number;
  byStatus: Record<string, number>;
  bySeverity: Record<string, number>;
  byType: Record<string, number>;
  /** The most active plugin first; equal ones ordered by name. */
  pluginActivity: { pluginName: string; count: number }[];
  securityEvents: number;
};

/** Adds up the numbers of activities by kind. */
export const countBy = (counted: Iterable<readonly [KindNames, number]>): ActivityCounts => {
  const byStatus = new Map<string, number>();
  const bySeverity = new Map<string, number>();
  const byType = new Map<string, number>();
  const byPlugin = new Map<string, number>();
  let total = 0;
  let securityEvents = 0;
  for (const [kind, count] of counted) {
    total += count;
    add(byStatus, kind.status, count);
    add(bySeverity, kind.severity, count);
    add(byType, kind.type, count);
    add(byPlugin, kind.pluginName, count);
    if (isSecurityEvent(kind)) securityEvents += count;
  }
  return {
    total,
    byStatus: Object.fromEntries(byStatus),
    bySeverity: Object.fromEntries(bySeverity),
    byType: Object.fromEntries(byType),
    pluginActivity: [...byPlugin]
      .map(([pluginName, count]) => ({ pluginName, count }))
      .sort((one, other) => other.count - one.count || (one.pluginName < other.pluginName ? -1 : 1)),
    securityEvents,
  };
};

const add = (sums: Map<string, number>, name: string, count: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + count);
};
