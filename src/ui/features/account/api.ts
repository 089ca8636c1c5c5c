import type { ProviderName, User } from "#contract/users.ts";
import { api } from "#ui/lib/api.ts";
import { setUser } from "#ui/lib/session.ts";

/** One provider as seen from an account: whether the server has it set up, and whether it is linked. */
export type ProviderState = { configured: boolean; linked: boolean };

/** What the account page shows of the reader's own account. */
export type Account = {
  user: User;
  hasPassword: boolean;
  providers: Record<ProviderName, ProviderState>;
  /** Whether nobody else could administer the server; such an account cannot be deleted. */
  isLastAdmin: boolean;
};

/** One place where the reader is signed in. Timestamps are ISO 8601 in UTC. */
export type AccountSession = {
  id: string;
  isCurrent: boolean;
  ip: string;
  /** In words, such as "Firefox on Linux". */
  device: string;
  createdAt: string;
  lastUsedAt: string;
};

type Message = { message: string };

/** The reader's account; the header and all else that shows them follow. */
export const getAccount = async (): Promise<Account> => {
  const { data } = await api.get<{ data: Account }>("/api/account");
  setUser(data.user);
  return data;
};

/** Changes the reader's name wherever it is shown; resolves to what to tell them. */
export const changeName = async (name: string): Promise<string> => {
  const { message, user } = await api.put<Message & { user: User }>("/api/account/name", { name });
  setUser(user);
  return message;
};

type PasswordChange = { currentPassword: string; newPassword: string };

/** Changes the password, which ends all other sessions; resolves to what to tell the reader. */
export const changePassword = async (change: PasswordChange): Promise<string> => {
  const { message } = await api.put<Message>("/api/account/password", change);
  return message;
};

/** Mails the reader a link that sets a password; resolves to what to tell them. */
export const mailPasswordLink = async (email: string): Promise<string> => {
  const { message } = await api.post<Message>("/api/auth/forgot-password", { email });
  return message;
};

/** Where the reader is signed in. */
export const listSessions = async (): Promise<AccountSession[]> => {
  const { data } = await api.get<{ data: { sessions: AccountSession[] } }>("/api/account/sessions");
  return data.sessions;
};

/** Ends one session; resolves to what to tell the reader. */
export const endSession = async (id: string): Promise<string> => {
  const { message } = await api.delete<Message>(`/api/account/sessions/${encodeURIComponent(id)}`);
  return message;
};

/** Ends all sessions but this one; resolves to what to tell the reader. */
export const endOtherSessions = async (): Promise<string> => {
  const { message } = await api.delete<Message>("/api/account/sessions");
  return message;
};

/**
 * Begins to link a provider; without a password the session must be fresh. Resolves to the address where the reader has
 * to confirm.
 */
export const beginLink = async (provider: ProviderName, password: string | null): Promise<string> => {
  const path = `/api/account/connections/${provider}`;
  const { data } = await api.post<{ data: { url: string } }>(path, password === null ? {} : { password });
  return data.url;
};

/** Takes a provider off the account; resolves to what to tell the reader. */
export const unlink = async (provider: ProviderName): Promise<string> => {
  const { message } = await api.delete<Message>(`/api/account/connections/${provider}`);
  return message;
};

/** What the server keeps with the reader's account; the activity log is not in it. */
export const exportData = (): Promise<unknown> => api.get<unknown>("/api/account/export");

/** Deletes the account for good; without a password the session must be fresh. Resolves to what to tell the reader. */
export const deleteAccount = async (password: string | null): Promise<string> => {
  const { message } = await api.delete<Message>("/api/account", password === null ? {} : { password });
  return message;
};
