import type { SystemStatus } from "#contract/settings.ts";
import { api } from "#ui/lib/api.ts";
import type { DayCount } from "#ui/lib/day-count.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";
import { getActivityDays } from "./activity-days.ts";

/** What an administrator is let in with: the plugins there are, and when this was. */
export type AdminAccess = { availablePlugins: string[]; timestamp: string };

/** The server's own account of itself. */
export type SystemInfo = {
  version: string;
  startedAt: string;
  uptimeS: number;
  node: { rssBytes: number; cpus: number };
  database: { kind: "postgres" | "embedded"; version: string; sizeBytes: number; latencyMs: number };
  mail: { transport: "smtp" | "outbox"; waiting: number; dead: number };
  users: { total: number; admins: number; pending: number };
  appUrl: string;
};

/** Asks to be let in. */
export const getAdminAccess = (): Promise<AdminAccess> => api.get<AdminAccess>("/api/admin");

/**
 * How the server and the services around it are, how many messages nobody has read, and what was recorded in the last
 * seven days; `null` when only that could not be had.
 */
export type Overview = {
  info: SystemInfo;
  status: SystemStatus | null;
  unread: number | null;
  week: DayCount[] | null;
};

const weekDays = 7;

/** Asks for all that the overview shows at once. */
export const getOverview = async (): Promise<Overview> => {
  const [info, status, unread, week] = await Promise.all([
    getSystemInfo(),
    getStatus(),
    countUnread(),
    getWeek(),
  ]);
  return { info, status, unread, week };
};

const getSystemInfo = async (): Promise<SystemInfo> => {
  const { data } = await api.get<{ data: SystemInfo }>("/api/system/info");
  return data;
};

const getStatus = async (): Promise<SystemStatus | null> => {
  try {
    const { data } = await api.get<{ data: SystemStatus }>("/api/system/status");
    return data;
  } catch (error) {
    // As with the messages: the page of settings says what is wrong.
    console.warn("the state of the services could not be loaded", error);
    return null;
  }
};

const getWeek = async (): Promise<DayCount[] | null> => {
  try {
    return await getActivityDays(weekDays);
  } catch (error) {
    // As with the messages: a page of its own says what is wrong.
    console.warn("recent activities could not be counted", error);
    return null;
  }
};

const countUnread = async (): Promise<number | null> => {
  try {
    const { data } = await api.get<{ data: { counts: { unread: number } } }>("/api/admin/contact?limit=1");
    noteUnread(data.counts.unread);
    return data.counts.unread;
  } catch (error) {
    // The server's health is worth showing without it; the messages' own page says what is wrong.
    console.warn("unread messages could not be counted", error);
    return null;
  }
};
