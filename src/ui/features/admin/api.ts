import type { User } from "#contract/users.ts";
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

/** A user as administrators see them. */
export type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

/** One page of users. */
export type UserPage = {
  users: ListedUser[];
  pagination: { total: number; limit: number; offset: number };
};

/** Asks to be let in. */
export const getAdminAccess = (): Promise<AdminAccess> => api.get<AdminAccess>("/api/admin");

/** Asks the server how it is. */
export const getSystemInfo = async (): Promise<SystemInfo> => {
  const { data } = await api.get<{ data: SystemInfo }>("/api/system/info");
  return data;
};

/** One page of the users whose name or address contains `search`. */
export const listUsers = async (query: {
  limit: number;
  offset: number;
  search: string;
}): Promise<UserPage> => {
  const { limit, offset, search } = query;
  const params = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (search !== "") params.set("search", search);
  const { data } = await api.get<{ data: UserPage }>(`/api/admin/users?${params}`);
  return data;
};
