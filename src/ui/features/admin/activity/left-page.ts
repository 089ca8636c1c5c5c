import type { ActivityPage } from "./activity-feed.ts";
import { type ActivityView, filterQuery } from "./activity-view.ts";

/** The count of page 1 when it was left for the pages of `before`, which the rows that arrived since are not on. */
export type LeftPage = { pages: string; count: Count };

type Count = Pick<ActivityPage["pagination"], "total" | "totalIsEstimate">;

/** Page 1 as it is left for `view`. */
export const leftFor = (view: ActivityView, { total, totalIsEstimate }: Count): LeftPage => ({
  pages: pagesOf(view),
  count: { total, totalIsEstimate },
});

/**
 * Which rows of how many a page shows. The API counts what there is at the moment; pages that hold on to an older moment
 * count as then where that is known, else to their end once they reach it.
 */
export const settled = (
  { activities, pagination }: ActivityPage,
  view: ActivityView,
  left: LeftPage | null,
): ActivityPage["pagination"] => {
  if (view.before === null) return pagination;
  if (left?.pages === pagesOf(view)) return { ...pagination, ...left.count };
  const { offset, limit, totalIsEstimate } = pagination;
  const isLast = activities.length > 0 && activities.length < limit && !totalIsEstimate;
  return isLast ? { ...pagination, total: offset + activities.length } : pagination;
};

const pagesOf = (view: ActivityView): string => `${view.before} ${filterQuery(view)}`;
