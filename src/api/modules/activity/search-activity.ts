import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { searchedRows } from "#contract/activity.ts";
import { newestSearched } from "#contract/activity-rules.ts";
import { activityTexts } from "#contract/activity-texts.ts";
import type { ActivityList } from "./contract.ts";
import { countBy } from "./count-by.ts";
import { kindsOfRows } from "./kinds-store.ts";
import { selectActivitiesById } from "./row-store.ts";
import { findMatches, type Match } from "./search-store.ts";
import { belowOf, newestOf, type Selection } from "./selection-store.ts";

/** A text that is looked for, and the page of its matches that is wanted. */
export type Search = { search: string; limit: number; offset: number; before: number | null };

/**
 * One page of a selection's activities that hold a text, newest first; total and sums are of the newest 1,000 matches.
 * Throws a 422 for an offset beyond those.
 */
export const searchActivity = async (
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

/** The part of a selection in which a text is looked for: all of it, or the newest rows where no index helps. */
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
