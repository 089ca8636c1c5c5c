import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { standingFailure } from "#cli/plugin-words/call-present-plugin.ts";
import type { Plugin } from "#contract/plugins.ts";
import { absentText } from "../naming-plugin.ts";

/** Throws what a call of the plugin would: `PLUGIN_NOT_FOUND` and `PLUGIN_UNAVAILABLE`. */
export const refuseAbsent = async (client: Client, name: string): Promise<void> => {
  const plugin = (await operationsOf(client).plugins.list()).data.find(
    (one): one is Plugin => one.name === name && "state" in one,
  );
  if (plugin === undefined) throw new CliFailure("PLUGIN_NOT_FOUND", absentText(name));
  // Without a server the plugin is started for a call, and only then.
  const failure = client.isServer || !plugin.enabled ? standingFailure(plugin) : null;
  if (failure !== null) throw failure;
};
