import type { TrustedKey } from "#contract/plugins.ts";
import { api } from "#ui/lib/api.ts";

const keys = "/api/admin/plugin-keys";
type Message = { message: string };

/** A key as admins add it; times are ISO, `null` for no bound. What it signs runs in the sandbox. */
export type NewKey = Pick<TrustedKey, "publicKey" | "label" | "names" | "notBefore" | "notAfter">;

/** Every key that is or was trusted. */
export const listKeys = async (): Promise<TrustedKey[]> => {
  const { data } = await api.get<{ data: { keys: TrustedKey[] } }>(keys);
  return data.keys;
};

/** Trusts a key; resolves to what to tell, as the next does. */
export const addKey = async (key: NewKey): Promise<string> => (await api.post<Message>(keys, key)).message;

/** Trusts a key no longer, for good. */
export const revokeKey = async (keyId: string): Promise<string> =>
  (await api.post<Message>(`${keys}/${encodeURIComponent(keyId)}/revoke`)).message;
