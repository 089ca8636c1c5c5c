import type { Activity, ActivityStatsInput } from "#api/modules/activity/contract.ts";
import { limits } from "#contract/limits.ts";
import type { Client } from "./client.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** Which of the newest activities are wanted: `most` of those that match and whose number is above `above`. */
export type Newest = { query: ActivityStatsInput; most: number; above: number };

/** The newest activities, oldest first; `isAll` says whether no more of them are above `above`. */
export const newestActivities = async (
  client: Client,
  { query, most, above }: Newest,
): Promise<{ activities: Activity[]; isAll: boolean }> => {
  const found: Activity[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const limit = Math.min(limits.pageSizeMax, most - found.length);
    if (limit === 0) return { activities: found.reverse(), isAll: false };
    const { activities } = (await operationsOf(client).activity.list({ ...query, limit, before })).data;
    const wanted = activities.filter(({ id }) => id > above);
    found.push(...wanted);
    if (wanted.length < limit) return { activities: found.reverse(), isAll: true };
  }
};

/** The number of the newest activity of all; 0 for an empty log. */
export const newestId = async (client: Client): Promise<number> => {
  const { activities } = (await operationsOf(client).activity.list({ limit: 1 })).data;
  return activities[0]?.id ?? 0;
};
