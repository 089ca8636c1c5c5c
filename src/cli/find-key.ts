import type { TrustedKey } from "#contract/plugins.ts";
import type { Client } from "./client.ts";
import { operationsOf } from "./operations/operations-of.ts";

/** The key whose id begins so; `null` unless it is the only one. */
export const findKey = async (client: Client, typed: string): Promise<TrustedKey | null> => {
  const { keys } = (await operationsOf(client).pluginKeys.list()).data;
  const [found, another] = keys.filter(({ keyId }) => keyId.startsWith(typed.toLowerCase()));
  return another === undefined ? (found ?? null) : null;
};
