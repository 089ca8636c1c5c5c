import { api } from "#ui/lib/api.ts";

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

/** Asks the server how it is. */
export const getSystemInfo = async (): Promise<SystemInfo> => {
  const { data } = await api.get<{ data: SystemInfo }>("/api/system/info");
  return data;
};
