import type { Context } from "#api/core/context.ts";
import type { Activity } from "./contract.ts";
import { selectIds } from "./export-store.ts";
import type { ActivityFilter } from "./filter.ts";
import { selectActivitiesById } from "./row-store.ts";
import { searchedPart } from "./search-activity.ts";
import { findMatches } from "./search-store.ts";
import { belowOf, type Selection, selectByFilter } from "./selection-store.ts";
import { selectActivities } from "./store.ts";

/** Which activities come next: `limit` of those with a number smaller than `before`, of all for `null`. */
export type NextPage = { before: number | null; limit: number };

/** What a filter let through at one moment, newest first: each activity once, whatever arrives meanwhile. */
export type ActivityPages = {
  /** For pages of some dozen. */
  activities(page: NextPage): Promise<Activity[]>;
  /** For thousands. */
  ids(page: NextPage): Promise<number[]>;
};

/** Opens what a filter lets through for reading. A short search looks at the newest 10,000 rows, as in the list. */
export const openActivityPages = async (ctx: Context, filter: ActivityFilter): Promise<ActivityPages> => {
  await ctx.activity.settle();
  const selection = await selectByFilter(ctx.db, filter);
  return filter.search === "" ? pagesOf(ctx, selection) : searchedPages(ctx, selection, filter.search);
};

const pagesOf = ({ db }: Context, selection: Selection): ActivityPages => ({
  activities: ({ before, limit }) => selectActivities(db, belowOf(selection, before), { offset: 0, limit }),
  ids: ({ before, limit }) => selectIds(db, belowOf(selection, before), limit),
});

const searchedPages = ({ db }: Context, selection: Selection, search: string): ActivityPages => {
  const searched = searchedPart(selection, search);
  const ids = async ({ before, limit }: NextPage) =>
    (await findMatches(db, belowOf(searched, before), { search, limit })).map(({ id }) => id);
  return { activities: async (page) => selectActivitiesById(db, await ids(page)), ids };
};
