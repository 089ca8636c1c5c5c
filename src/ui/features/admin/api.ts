import type { BackupHealth } from "#api/modules/backups/contract.ts";
import type { AdminAccess, SystemInfo, SystemStatus } from "#api/modules/system/contract.ts";
import type { Plugin } from "#contract/plugins.ts";
import type { DayCount } from "#ui/components/day-bars.tsx";
import { client } from "#ui/lib/api.ts";
import { noteUnread } from "#ui/lib/unread-messages.ts";

/** Asks to be let in. */
export const getAdminAccess = (): Promise<AdminAccess> => client.system.overview();

/**
 * How the server and the services around it are, how many messages no one has read, the plugins, whether backups are made,
 * and what was recorded in the last seven days; `null` when only that could not be had.
 */
export type Overview = {
  info: SystemInfo;
  status: SystemStatus | null;
  unread: number | null;
  plugins: Plugin[] | null;
  backups: BackupHealth | null;
  week: DayCount[] | null;
};

const weekDays = 7;

/** Asks for all that the overview shows, together. */
export const getOverview = async (): Promise<Overview> => {
  const [info, status, unread, plugins, backups, week] = await Promise.all([
    getSystemInfo(),
    getStatus(),
    countUnread(),
    getPlugins(),
    getBackups(),
    getWeek(),
  ]);
  return { info, status, unread, plugins, backups, week };
};

const getSystemInfo = async (): Promise<SystemInfo> => (await client.system.info()).data;

/** Whether the server was started with all plugins off; `false` too when that could not be learned. */
export const getSafeMode = async (): Promise<boolean> => (await getStatus())?.isSafeMode === true;

const getStatus = async (): Promise<SystemStatus | null> => {
  try {
    return (await client.system.status()).data;
  } catch (error) {
    // As with the messages: the page of settings says what is wrong.
    console.warn("the state of the services could not be loaded", error);
    return null;
  }
};

const getPlugins = async (): Promise<Plugin[] | null> => {
  try {
    return (await client.plugins.list()).data.filter((plugin) => "state" in plugin);
  } catch (error) {
    // As with the messages: the plugins' own page says what is wrong.
    console.warn("the plugins could not be listed", error);
    return null;
  }
};

const getBackups = async (): Promise<BackupHealth | null> => {
  try {
    return (await client.backups.health()).data;
  } catch (error) {
    // As with the messages: the backups' own page says what is wrong.
    console.warn("the state of the backups could not be loaded", error);
    return null;
  }
};

const getWeek = async (): Promise<DayCount[] | null> => {
  try {
    return (await client.activity.days({ days: weekDays })).data.days;
  } catch (error) {
    // As with the messages: a page of its own says what is wrong.
    console.warn("recent activities could not be counted", error);
    return null;
  }
};

const countUnread = async (): Promise<number | null> => {
  try {
    const { data } = await client.contact.list({ limit: 1 });
    noteUnread(data.counts.unread);
    return data.counts.unread;
  } catch (error) {
    // The server's health is worth showing without it; the messages' own page says what is wrong.
    console.warn("unread messages could not be counted", error);
    return null;
  }
};
