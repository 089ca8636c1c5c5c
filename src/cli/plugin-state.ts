import { operationsOf } from "#cli/operations/operations-of.ts";
import type { Plugin } from "#contract/plugins.ts";
import type { Client } from "./client.ts";

type Standing = Pick<Plugin, "enabled" | "state">;

// Where no server runs, or one in safe mode, an enabled plugin is off for the time being.
const isHeldBack = ({ enabled, state }: Standing): boolean => enabled && state === "disabled";

/** How a plugin stands, for a list: its state, or that it is enabled where nothing runs it. */
export const stateText = (plugin: Standing, { isServer }: Pick<Client, "isServer">): string => {
  if (!isHeldBack(plugin)) return plugin.state;
  return isServer ? "enabled (not running)" : "enabled (no server)";
};

/** How a plugin stands after a change: its state, or when it will run. */
export const outlookOf = async (plugin: Standing, client: Client): Promise<string> => {
  if (!isHeldBack(plugin)) return plugin.state;
  if (!client.isServer) return "enabled; it runs once the server starts";
  const { isSafeMode } = (await operationsOf(client).system.status()).data;
  return isSafeMode ? "enabled; it runs after the next start without safe mode" : stateText(plugin, client);
};
