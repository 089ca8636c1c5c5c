import type { Account } from "#api/modules/account/contract.ts";
import { client } from "#ui/lib/api.ts";
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
