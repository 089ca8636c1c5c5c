import type { TrustedKey } from "#contract/plugins.ts";
import type { Client } from "./client.ts";

/** The key whose id begins so; `null` unless it is the only one. */
export const findKey = async (client: Client, typed: string): Promise<TrustedKey | null> => {
  const { keys } = await client.call("GET /api/admin/plugin-keys");
  const [found, another] = keys.filter(({ keyId }) => keyId.startsWith(typed.toLowerCase()));
  return another === undefined ? (found ?? null) : null;
};
