import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { ActivityList, ListActivityInput } from "./contract.ts";
import { countBy } from "./count-by.ts";
import { type ActivityFilter, readFilter } from "./filter.ts";
import { searchActivity } from "./search-activity.ts";
import { belowOf, type Selection, selectByFilter } from "./selection-store.ts";
import { selectActivities } from "./store.ts";

/**
 * One page of what the filters let through, newest first, with exact total and sums; of a search only the newest 1,000
 * matches are counted. `before` narrows the page alone. For admins and the operator. Throws a 422 for an end before the
 * start, and for a place in a search beyond what is counted.
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

/** The sums of what a filter lets through; of a search the newest 1,000 matches are counted. */
export const countFiltered = async (ctx: Context, filter: ActivityFilter): Promise<ActivityList["stats"]> => {
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
