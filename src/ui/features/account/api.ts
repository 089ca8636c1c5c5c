import type { Account } from "#api/modules/account/contract.ts";
import type { ProviderName, User } from "#contract/users.ts";
import { api } from "#ui/lib/api.ts";
import { addressOf, client } from "#ui/lib/client.ts";
import { setUser } from "#ui/lib/session.ts";

type Message = { message: string };

/** The reader's account; the header and all else that shows them follow. */
export const getAccount = async (): Promise<Account> => {
  const { data } = await client.account.get();
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
  return (await client.auth.forgotPassword({ email })).message;
};

/** Ends one session; resolves to what to tell the reader. */
export const endSession = async (id: string): Promise<string> => {
  const { message } = await api.delete<Message>(`/api/account/sessions/${encodeURIComponent(id)}`);
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

/** What the server keeps with the reader's account; the activity log is not in it. */
export const exportData = (): Promise<unknown> => api.get<unknown>(addressOf("account.export", {}));

/** Deletes the account for good; without a password the session must be fresh. Resolves to what to tell the reader. */
export const deleteAccount = async (password: string | null): Promise<string> => {
  const { message } = await api.delete<Message>("/api/account", password === null ? {} : { password });
  return message;
};
