import { validationError } from "#api/core/app-error.ts";
import { activityFilterNames, isSecurityEvent, longSearchLength } from "#contract/activity.ts";
import { readFilterDate, wordsIn } from "#contract/activity-rules.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import type { Activity } from "./contract.ts";

/** A filter as it stands in a query, each of its fields checked by itself; an empty one is as good as none. */
export type ActivityFilterQuery = Partial<
  Record<(typeof activityFilterNames)[number] | "search" | "startDate" | "endDate", string>
> & { security?: "true" | "false" | "" };

/** What activities are filtered by; times in milliseconds since 1970. What is absent, empty or `null` lets all through. */
export type ActivityFilter = {
  words: readonly { name: (typeof activityFilterNames)[number]; allowed: ReadonlySet<string> }[];
  /** Whether only security events are let through. */
  isSecurity: boolean;
  search: string;
  fromMs: number | null;
  /** The first moment that is too late. */
  toMs: number | null;
};

/** What one number in the log stands for: see the table of kinds. */
export type KindNames = Pick<Activity, (typeof activityFilterNames)[number]>;

const dayMs = 24 * 60 * 60 * 1000;

/** Reads a query whose fields have been checked. Throws a 422 for an end before the start. */
export const readFilter = (query: ActivityFilterQuery): ActivityFilter => {
  const words = activityFilterNames.flatMap((name) => {
    const text = query[name];
    return !text ? [] : [{ name, allowed: new Set(wordsIn(text)) }];
  });
  const start = query.startDate ? readFilterDate(query.startDate) : null;
  const end = query.endDate ? readFilterDate(query.endDate) : null;
  // An end counts as a whole: its day, or its millisecond, which is how finely times are recorded.
  const toMs = end === null ? null : end.ms + (end.isDay ? dayMs : 1);
  if (start !== null && toMs !== null && toMs <= start.ms) {
    throw validationError([{ path: "endDate", message: activityTexts.endBeforeStart }]);
  }
  const isSecurity = query.security === "true";
  return { words, isSecurity, search: query.search?.trim() ?? "", fromMs: start?.ms ?? null, toMs };
};

/** Whether activities of a kind get past the enumerated filters. */
export const matchesKind = (
  { words, isSecurity }: Pick<ActivityFilter, "words" | "isSecurity">,
  kind: KindNames,
): boolean =>
  (!isSecurity || isSecurityEvent(kind)) && words.every(({ name, allowed }) => allowed.has(kind[name]));

/** Whether an activity gets past the whole filter. */
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

// As the database builds its column of that name.
const searchedText = ({ action, description, userEmail, ip }: Activity): string =>
  `${action}\n${description}\n${userEmail ?? ""}\n${ip ?? ""}`.toLowerCase();

/**
 * Whether a text in lower case is part of what a kind's columns show; a type is found by its words too. Two letters are
 * part of most of them, and find none.
 */
export const isNamed = ({ pluginName, type, status, severity }: KindNames, search: string): boolean =>
  search.length >= longSearchLength &&
  [pluginName.toLowerCase(), type, type.replaceAll("_", " "), status, severity].some((name) =>
    name.includes(search),
  );

/** Whether a text in lower case may be how a request id begins. */
export const isRequestIdStart = (search: string): boolean => /^[0-9a-f][0-9a-f-]{2,35}$/.test(search);

/** Rows between two moments, to be counted one by one; the second is the first moment behind them. */
export type CountedSpan = { sign: 1 | -1; fromMs: number; toMs: number };

/**
 * How to count the rows between two moments by whole days: those from `firstDay` to before `endDay`, in days since
 * 1970, `null` without a bound, and what is to be added to them or taken away from them at the ends.
 */
export type DaySpan = { firstDay: number | null; endDay: number | null; corrections: CountedSpan[] };

/**
 * Splits the time between two moments, in milliseconds since 1970, `null` without a bound, so that as little as
 * possible is counted one by one: half a day at each end at most.
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

/** From one moment to the other: to be added, or to be taken away where they stand the other way round. */
const between = (fromMs: number, toMs: number): CountedSpan[] => {
  if (fromMs === toMs) return [];
  return fromMs < toMs ? [{ sign: 1, fromMs, toMs }] : [{ sign: -1, fromMs: toMs, toMs: fromMs }];
};

/** How many activities there are, in all and by what they are filtered by; only what occurs has an entry. */
type ActivityCounts = {
  total: number;
  byStatus: Record<string, number>;
  bySeverity: Record<string, number>;
  byType: Record<string, number>;
  /** The busiest plugin first; of equals in the order of their names. */
  pluginActivity: { pluginName: string; count: number }[];
  securityEvents: number;
};

/** Sums numbers of activities of one kind each. */
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
