import type { ActivityList } from "#api/modules/activity/contract.ts";
import { longSearchLength } from "#contract/activity.ts";
import { formatCount } from "./format.ts";

type Bounds = {
  pagination: Pick<ActivityList["pagination"], "total" | "totalIsEstimate" | "searchedNewest">;
  stats: Pick<ActivityList["stats"], "coversNewest">;
};

/** What to say of a search that did not look at, or count, everything; nothing for any other answer. */
export const searchNotes = ({ pagination, stats }: Bounds): string[] => {
  const { totalIsEstimate, searchedNewest, total } = pagination;
  return [
    ...(searchedNewest === null ? [] : [searchedNote(searchedNewest)]),
    ...(totalIsEstimate || stats.coversNewest !== null
      ? [
          `more than ${formatCount(total)} activities match; counted are the newest ${formatCount(stats.coversNewest ?? total)} alone`,
        ]
      : []),
  ];
};

/** What to say of a search that looked at the newest activities alone. */
export const searchedNote = (newest: number): string =>
  `only the newest ${formatCount(newest)} activities were searched; ${longSearchLength} letters or digits are looked for in all`;
