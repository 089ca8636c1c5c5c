import type { TrustedKey } from "#contract/plugins.ts";
import { client } from "#ui/lib/client.ts";

/** A key as admins add it; times are ISO, `null` for no bound. What it signs runs in the sandbox. */
export type NewKey = Pick<TrustedKey, "publicKey" | "label" | "names" | "notBefore" | "notAfter">;

/** Every key that is or was trusted. */
export const listKeys = async (): Promise<TrustedKey[]> => (await client.pluginKeys.list()).data.keys;

/** Trusts a key; resolves to what to tell, as the next does. */
export const addKey = async (key: NewKey): Promise<string> => (await client.pluginKeys.trust(key)).message;

/** Trusts a key no longer, for good. */
export const revokeKey = async (id: string): Promise<string> =>
  (await client.pluginKeys.revoke({ id })).message;
