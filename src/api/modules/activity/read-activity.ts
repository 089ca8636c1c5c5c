import { requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { activityTexts, isSecurityEvent, newestSearched, searchedRows } from "#contract/activity.ts";
import type {
  Activity,
  ActivityDays,
  ActivityDaysInput,
  ActivityList,
  ActivityStats,
  ActivityStatsInput,
  ListActivityInput,
} from "./contract.ts";
import { type ActivityFilter, countBy, readFilter } from "./filter.ts";
import {
  type ActivityKind,
  belowOf,
  findMatches,
  kindsOfRows,
  type Match,
  newestOf,
  type Selection,
  selectByFilter,
} from "./selection-store.ts";
import { countSince, findActivity, selectActivities, selectActivitiesById, selectDays } from "./store.ts";

/**
 * One page of matching activities, newest first, with the exact total and counts; a search only counts the newest 1,000
 * matches. `before` only narrows the page. For admins and the operator. Throws a 422 for an end before the start, and
 * for an offset beyond the counted matches of a search.
 */
export const listActivity = async (ctx: Context, input: ListActivityInput): Promise<ActivityList> => {
  requireAdmin(ctx);
  const filter = readFilter(input);
  await ctx.activity.settle();
  const selection = await selectByFilter(ctx.db, filter);
  const page = { limit: input.limit, offset: input.offset, before: input.before ?? null };
  if (filter.search !== "") return searchActivity(ctx, selection, { search: filter.search, ...page });
  return listSelected(ctx, selection, page);
};

/** The counts of matching activities; of a search, of the newest 1,000 matches. */
const countFiltered = async (ctx: Context, filter: ActivityFilter): Promise<ActivityList["stats"]> => {
  const selection = await selectByFilter(ctx.db, filter);
  const none = { limit: 0, offset: 0, before: null };
  const { search } = filter;
  const counted =
    search === ""
      ? await listSelected(ctx, selection, none)
      : await searchActivity(ctx, selection, { search, ...none });
  return counted.stats;
};

const listSelected = async (
  ctx: Context,
  selection: Selection,
  { limit, offset, before }: { limit: number; offset: number; before: number | null },
): Promise<ActivityList> => {
  const { total, ...sums } = countBy(selection.kinds.map(({ kind, rows }) => [kind, rows]));
  const wanted = belowOf(selection, before);
  return {
    activities: limit > 0 && offset < total ? await selectActivities(ctx.db, wanted, { offset, limit }) : [],
    pagination: { total, limit, offset, totalIsEstimate: false, searchedNewest: null },
    stats: { total, ...sums, coversNewest: null },
  };
};

/** The text to search for, and the requested page of its matches. */
type Search = { search: string; limit: number; offset: number; before: number | null };

/**
 * One page of a selection's activities that contain a text, newest first; total and counts are of the newest 1,000
 * matches. Throws a 422 for an offset beyond those.
 */
const searchActivity = async (
  ctx: Context,
  selection: Selection,
  { search, ...page }: Search,
): Promise<ActivityList> => {
  const searched = searchedPart(selection, search);
  const find = (part: Selection, limit: number) => findMatches(ctx.db, part, { search, limit });
  const found = await find(searched, searchedRows + 1);
  const isMore = found.length > searchedRows;
  if (isMore && page.offset > searchedRows) {
    throw validationError([{ path: "offset", message: activityTexts.offsetBeyondSearch }]);
  }
  const below = found.filter(({ id }) => page.before === null || id < page.before);
  const end = page.offset + page.limit;
  const matches = isMore && below.length < end ? await find(belowOf(searched, page.before), end) : below;
  const { total, ...sums } = await countMatches(ctx, found.slice(0, searchedRows));
  return {
    activities: await selectActivitiesById(
      ctx.db,
      matches.slice(page.offset, end).map(({ id }) => id),
    ),
    pagination: {
      total,
      limit: page.limit,
      offset: page.offset,
      totalIsEstimate: isMore,
      searchedNewest: newestSearched(search),
    },
    stats: { total, ...sums, coversNewest: isMore ? searchedRows : null },
  };
};

/** The part of a selection to search: all of it, or the newest rows if no index helps. */
export const searchedPart = (selection: Selection, search: string): Selection => {
  const rows = newestSearched(search);
  return rows === null ? selection : newestOf(selection, rows);
};

const countMatches = async (ctx: Context, matches: Match[]) => {
  const kinds = await kindsOfRows(ctx.db, matches);
  const counted = new Map<number, number>();
  for (const { kindId } of matches) counted.set(kindId, (counted.get(kindId) ?? 0) + 1);
  return countBy(
    [...counted].flatMap(([kindId, count]) => {
      const kind = kinds.get(kindId);
      return kind === undefined ? [] : [[kind, count] as const];
    }),
  );
};

const number = /^[1-9]\d{0,14}$/;

/** One activity. For admins and the operator. Throws `NOT_FOUND`. */
export const getActivity = async (ctx: Context, input: { id: string }): Promise<Activity> => {
  requireAdmin(ctx);
  await ctx.activity.settle();
  const activity = number.test(input.id) ? await findActivity(ctx.db, Number(input.id)) : null;
  if (activity === null) throw new AppError("NOT_FOUND", activityTexts.unknown);
  return activity;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How many activities there were on each of the last days, in UTC, today last, including days without any. For admins
 * and the operator.
 */
export const activityDays = async (ctx: Context, input: ActivityDaysInput): Promise<ActivityDays> => {
  requireAdmin(ctx);
  const { days, ...query } = input;
  await ctx.activity.settle();
  const filter = readFilter(query);
  const selection = await selectByFilter(ctx.db, filter);
  const selected = selection.kinds.map(({ kind }) => kind);
  const kinds = {
    all: filter.words.length === 0 && !filter.isSecurity ? null : idsOf(selected),
    failures: idsOf(selected.filter(({ status }) => status === "failure")),
    securityEvents: idsOf(selected.filter(isSecurityEvent)),
  };
  const lastDay = Math.floor(ctx.clock.now().getTime() / dayMs);
  const firstDay = lastDay - days + 1;
  const counted = new Map(
    (await selectDays(ctx.db, { firstDay, lastDay, kinds })).map((row) => [row.day, row]),
  );
  return {
    days: Array.from({ length: days }, (_, at) => {
      const { day, ...counts } = counted.get(firstDay + at) ?? { day: 0, ...none };
      return { date: new Date((firstDay + at) * dayMs).toISOString().slice(0, 10), ...counts };
    }),
  };
};

const none = { total: 0, failures: 0, securityEvents: 0 };

const idsOf = (kinds: ActivityKind[]): number[] => kinds.map(({ id }) => id);

/**
 * Counts of matching activities; of a search, of the newest 1,000 matches. For admins and the operator. Throws a 422
 * for an end before the start.
 */
export const activityStats = async (ctx: Context, input: ActivityStatsInput): Promise<ActivityStats> => {
  requireAdmin(ctx);
  const filter = readFilter(input);
  await ctx.activity.settle();
  const counts = await countFiltered(ctx, filter);
  const last24Hours = await countRecent(ctx, filter);
  return { ...counts, last24Hours, failures: counts.byStatus.failure ?? 0 };
};

const countRecent = async (ctx: Context, filter: ActivityFilter): Promise<number> => {
  const dayAgo = ctx.clock.now().getTime() - dayMs;
  const { words, isSecurity, search, toMs } = filter;
  const fromMs = Math.max(filter.fromMs ?? dayAgo, dayAgo);
  if (toMs !== null && toMs <= fromMs) return 0;
  // For the whole log this is known without counting each kind.
  const isWhole = words.length === 0 && !isSecurity && search === "" && toMs === null;
  if (isWhole && fromMs === dayAgo) return countSince(ctx.db, dayAgo);
  return (await countFiltered(ctx, { ...filter, fromMs })).total;
};
