import type { Activity } from "#api/modules/activity/contract.ts";
import { timers } from "#contract/limits.ts";
import { api } from "#ui/lib/api.ts";
import { type ActivityFilters, filterQuery } from "./activity-view.ts";

/** How many activities are from a plugin. */
export type PluginCount = { pluginName: string; count: number };

/** One page of the log, newest first. */
export type ActivityPage = {
  activities: Activity[];
  pagination: {
    total: number;
    limit: number;
    offset: number;
    /** `total` is a lower bound. */
    totalIsEstimate: boolean;
    /** Only this many of the newest rows were looked at; `null` for all. */
    searchedNewest: number | null;
  };
};

/** What the filters let through; without any, what the whole log holds. */
export type ActivityStats = {
  total: number;
  /** How many matches of a search are counted where there are more; else `null`. */
  coversNewest: number | null;
  last24Hours: number;
  failures: number;
  securityEvents: number;
  pluginActivity: PluginCount[];
};

const path = "/api/admin/activity";

const getData = async <T>(address: string): Promise<T> => {
  const { data } = await api.get<{ data: T }>(address);
  return data;
};

/** The page that a query asks for. */
export const listActivities = (query: string): Promise<ActivityPage> => getData(`${path}?${query}`);

/** Counts over what a query of filters lets through. */
export const getActivityStats = (query: string): Promise<ActivityStats> =>
  getData(query === "" ? `${path}/stats` : `${path}/stats?${query}`);

/** One activity. */
export const getActivity = (id: number): Promise<Activity> => getData(`${path}/${id}`);

/** How many activities are older than a moment (ISO 8601). */
export const countOlder = async (moment: string): Promise<number> => {
  const query = new URLSearchParams({ endDate: moment, limit: "1" });
  const { pagination } = await listActivities(query.toString());
  return pagination.total;
};

/** Removes what is older than that many days for good; resolves to what to tell. */
export const cleanUp = async (days: number): Promise<string> => {
  const { message } = await api.delete<{ message: string }>(`${path}/cleanup?days=${days}`, undefined, {
    timeoutMs: timers.cleanupTimeoutMs,
  });
  return message;
};

/** After how many days activities are removed by themselves; `null` for never. */
export const getRetention = async (): Promise<number | null> => {
  const { days } = await getData<{ days: number | null }>(`${path}/retention`);
  return days;
};

/** Sets {@link getRetention}'s days; resolves to what to tell. */
export const setRetention = async (days: number | null): Promise<string> => {
  const { message } = await api.put<{ message: string }>(`${path}/retention`, { days });
  return message;
};

/** Where the matching activities are to be had as a file. */
export const exportAddress = (filters: ActivityFilters, format: "csv" | "ndjson"): string => {
  const params = filterQuery(filters);
  params.set("format", format);
  return `${path}/export?${params}`;
};
