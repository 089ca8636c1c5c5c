import { api } from "#ui/lib/api.ts";
import type { DayCount } from "#ui/lib/day-count.ts";

/** How much was recorded on each of the last days (UTC), today being the last; `query` holds filters. */
export const getActivityDays = async (days: number, query = ""): Promise<DayCount[]> => {
  const params = new URLSearchParams(query);
  params.set("days", String(days));
  const { data } = await api.get<{ data: { days: DayCount[] } }>(`/api/admin/activity/days?${params}`);
  return data.days;
};
