import { type Client, operationsOf, type PluginCall } from "#cli/client/client.ts";
import { absentText, type PluginAnswer } from "#cli/client/read-answer.ts";
import { CliFailure } from "#cli/failure.ts";
import type { PluginCommands } from "#contract/plugin-commands.ts";
import type { Plugin } from "#contract/plugins.ts";

/** Calls a plugin. Where it is not there to answer, the failure says why, and what helps: `PLUGIN_UNAVAILABLE` or `PLUGIN_NOT_FOUND`. */
export const callPresentPlugin = async (
  client: Client,
  plugin: string,
  call: PluginCall,
): Promise<PluginAnswer> => explainingAbsence(client, plugin, () => client.callPlugin(plugin, call));

/** Does what needs a plugin; throws as {@link callPresentPlugin} where that is not there. */
export const explainingAbsence = async <T>(
  client: Client,
  plugin: string,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliFailure) || !absentKinds.includes(error.kind)) throw error;
    throw (await absence(client, plugin)) ?? error;
  }
};

// A disabled plugin has no paths at all.
const absentKinds: readonly string[] = ["NOT_FOUND", "PLUGIN_UNAVAILABLE"];

/** Why a plugin does not answer; `null` when it runs, or that is unknown. */
const absence = async (client: Client, name: string): Promise<CliFailure | null> => {
  const { data: plugins = null } = await operationsOf(client)
    .plugins.list()
    .catch(() => ({ data: undefined }));
  if (plugins === null) return null;
  const plugin = plugins.find((one): one is Plugin => one.name === name && "state" in one);
  if (plugin !== undefined) return statusFailure(plugin);
  // Who is no admin is told of enabled plugins alone.
  if (plugins.some((one) => !("state" in one))) return null;
  return new CliFailure("PLUGIN_NOT_FOUND", absentText(name));
};

/** The failure to end with where a plugin does not run; `null` when it runs. */
export const statusFailure = (plugin: Plugin): CliFailure | null => {
  if (!plugin.enabled) return disabledFailure(plugin);
  const { name, state } = plugin;
  return state === "running"
    ? null
    : new CliFailure(
        "PLUGIN_UNAVAILABLE",
        `the plugin ${name} is not running (${state})${why(plugin)}; see: atrium plugin logs ${name}`,
      );
};

/** The failure to end with where a plugin is off. */
const disabledFailure = (plugin: Pick<Plugin, "name" | "error">): CliFailure =>
  new CliFailure(
    "PLUGIN_UNAVAILABLE",
    `the plugin ${plugin.name} is not enabled${why(plugin)}; enable it with: atrium plugin enable ${plugin.name}`,
  );

const why = ({ error }: Pick<Plugin, "error">): string => (error === null ? "" : `: ${error}`);

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

/** The terminal commands of a plugin, by its name. */
export type PluginWord = {
  plugin: string;
  commands: PluginCommands;
  /** Where they were asked for, and are run; wherever the operator means unless given. */
  client?: Client;
};
