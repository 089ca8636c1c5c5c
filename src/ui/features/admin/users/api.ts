import type { Role, User } from "#contract/users.ts";
import { api } from "#ui/lib/api.ts";
import type { UserQuery } from "./user-query.ts";

/** A user as administrators see them. Timestamps are ISO 8601 in UTC. */
export type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

/** One place where a user is signed in; `device` says in words what it is. */
export type UserSession = {
  id: string;
  ip: string;
  userAgent: string | null;
  device: string;
  createdAt: string;
  lastUsedAt: string;
};

/** Everything about one user. `sessions` are the last used ones, `sessionCount` counts all. */
export type UserDetail = ListedUser & {
  hasPassword: boolean;
  /** Whether nobody else could administer the server; such an account stays as it is. */
  isLastAdmin: boolean;
  sessionCount: number;
  sessions: UserSession[];
};

/** A registration that waits for its verification. */
export type PendingRegistration = {
  id: string;
  name: string;
  createdAt: string;
  mailedAt: string | null;
  expiresAt: string;
};

/** An address that waits for its verification; `waiting` are all its registrations, newest first. */
export type PendingUser = { id: string; email: string; waiting: PendingRegistration[] };

/** One page of a list. */
export type Page<Row> = {
  users: Row[];
  pagination: { total: number; totalIsEstimate: boolean; limit: number; offset: number };
};

type Bounds = { limit: number; offset: number };
type Wanted = Pick<UserQuery, "search" | "role" | "status">;
type Message = { message: string };

const users = "/api/admin/users";
const pending = "/api/admin/pending-users";

/** One page of the users that match. */
export const listUsers = async (
  { search, role, status }: Wanted,
  bounds: Bounds,
): Promise<Page<ListedUser>> => {
  const params = boundsOf(bounds);
  for (const [name, value] of Object.entries({ search, role, status })) if (value) params.set(name, value);
  const { data } = await api.get<{ data: Page<ListedUser> }>(`${users}?${params}`);
  return data;
};

/** One page of the addresses that wait and match. */
export const listPending = async (search: string, bounds: Bounds): Promise<Page<PendingUser>> => {
  const params = boundsOf(bounds);
  if (search !== "") params.set("search", search);
  const { data } = await api.get<{ data: Page<PendingUser> }>(`${pending}?${params}`);
  return data;
};

const boundsOf = ({ limit, offset }: Bounds) =>
  new URLSearchParams({ limit: String(limit), offset: String(offset) });

/** One user. */
export const getUser = async (id: string): Promise<UserDetail> => {
  const { data } = await api.get<{ data: UserDetail }>(pathOf(id));
  return data;
};

const pathOf = (id: string) => `${users}/${encodeURIComponent(id)}`;
const pendingPathOf = (id: string) => `${pending}/${encodeURIComponent(id)}`;
const told = async (answer: Promise<Message>): Promise<string> => (await answer).message;

/** Adds a user who may sign in at once; resolves to what to tell, as all that follow do. */
export const createUser = (user: {
  name: string;
  email: string;
  password: string;
  role: Role;
}): Promise<string> => told(api.post<Message>(users, user));

/** Makes somebody an administrator, or a user again. */
export const setRole = (id: string, role: Role): Promise<string> =>
  told(api.put<Message>(`${pathOf(id)}/role`, { role }));

/** Shuts somebody out. */
export const disableUser = (id: string): Promise<string> => told(api.post<Message>(`${pathOf(id)}/disable`));

/** Lets somebody in again. */
export const enableUser = (id: string): Promise<string> => told(api.post<Message>(`${pathOf(id)}/enable`));

/** Mails somebody a link to choose a new password. */
export const sendReset = (id: string): Promise<string> => told(api.post<Message>(`${pathOf(id)}/send-reset`));

/** Signs somebody out everywhere. */
export const endSessions = (id: string): Promise<string> =>
  told(api.delete<Message>(`${pathOf(id)}/sessions`));

/** Deletes somebody for good. */
export const deleteUser = (id: string): Promise<string> => told(api.delete<Message>(pathOf(id)));

/** Makes a user of this very registration; the address's others end. */
export const verifyPending = (id: string): Promise<string> =>
  told(api.post<Message>(`${pendingPathOf(id)}/verify`));

/** Removes all registrations of the address. */
export const removePending = (id: string): Promise<string> => told(api.delete<Message>(pendingPathOf(id)));
