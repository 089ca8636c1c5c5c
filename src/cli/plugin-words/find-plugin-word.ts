import type { Client } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import type { Plugin } from "#contract/plugins.ts";
import { disabledFailure } from "./call-present-plugin.ts";
import type { PluginWord } from "./plugin-word.ts";

/**
 * The commands that an installed plugin has for a word; `null` when none does, or the caller is not told. Throws
 * `PLUGIN_UNAVAILABLE` when the plugin is off, and `CONFLICT` when several plugins have it.
 */
export const findPluginWord = async (client: Client, word: string): Promise<PluginWord | null> => {
  const listed = (await operationsOf(client).plugins.list()).data;
  const all = listed.filter((one): one is Plugin => "commandWord" in one && one.commandWord === word);
  const enabled = all.filter((plugin) => plugin.enabled);
  const plugin = enabled.find(({ name }) => name === word) ?? only(enabled, word) ?? all[0];
  if (plugin === undefined) return null;
  if (!plugin.enabled) throw disabledFailure(plugin);
  const { commands } = (await operationsOf(client).plugins.get({ name: plugin.name })).data;
  return commands === null ? null : { plugin: plugin.name, commands, client };
};

const only = (enabled: readonly Plugin[], word: string): Plugin | undefined => {
  if (enabled.length < 2) return enabled[0];
  const names = enabled.map(({ name }) => name).join(" and ");
  throw new CliFailure("CONFLICT", `${names} both have the command "${word}"; disable one of them`);
};
