import type { Account, ChangePasswordInput } from "#api/modules/account/contract.ts";
import { addressOf, api, client } from "#ui/lib/api.ts";
import { setUser } from "#ui/lib/session.ts";

/** The reader's account; the header and all else that shows them follow. */
export const getAccount = async (): Promise<Account> => {
  const { data } = await client.account.get();
  setUser(data.user);
  return data;
};

/** Changes the reader's name wherever it is shown; resolves to what to tell them. */
export const changeName = async (name: string): Promise<string> => {
  const { message, user } = await client.account.rename({ name });
  setUser(user);
  return message;
};

/** Changes the password, which ends all other sessions; resolves to what to tell the reader. */
export const changePassword = async (change: ChangePasswordInput): Promise<string> =>
  (await client.account.changePassword(change)).message;

/** Emails the reader a link that sets a password; resolves to what to tell them. */
export const mailPasswordLink = async (email: string): Promise<string> =>
  (await client.auth.forgotPassword({ email })).message;

/** Ends one session; resolves to what to tell the reader. */
export const endSession = async (id: string): Promise<string> =>
  (await client.account.endSession({ id })).message;

/**
 * Begins to link a provider; without a password the session must be fresh. Resolves to the address where the reader has
 * to confirm.
 */
export const beginLink = async (provider: string, password: string | null): Promise<string> =>
  (await client.account.link({ provider, ...confirmedBy(password) })).data.url;

/** What the server keeps with the reader's account; the activity log is not in it. */
export const exportData = (): Promise<unknown> => api.get<unknown>(addressOf("account.export", {}));

/** Deletes the account permanently; without a password the session must be fresh. Resolves to what to tell the reader. */
export const deleteAccount = async (password: string | null): Promise<string> =>
  (await client.account.remove(confirmedBy(password))).message;

const confirmedBy = (password: string | null) => (password === null ? {} : { password });
