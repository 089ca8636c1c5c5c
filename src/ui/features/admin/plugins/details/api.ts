import type { JsonSchema } from "#contract/json-schema.ts";
import type { Plugin, PluginDetails, PluginLogLine } from "#contract/plugins.ts";
import { api } from "#ui/lib/api.ts";
import { getPlugin, listPlugins, pathOf } from "../api.ts";

/** A plugin, and the others that it may need or be needed by. */
export type Opened = { plugin: PluginDetails; plugins: Plugin[] };

/** Asks for a plugin and the list of all. */
export const openPlugin = async (name: string): Promise<Opened> => {
  const [plugin, plugins] = await Promise.all([getPlugin(name), listOthers()]);
  return { plugin, plugins };
};

const listOthers = async (): Promise<Plugin[]> => {
  try {
    return await listPlugins();
  } catch (error) {
    // Only their titles would be missing.
    console.warn("the list of plugins could not be loaded", error);
    return [];
  }
};

/** A plugin's settings: secrets read empty, and `secrets` says which are set. */
export type ShownSettings = {
  schema: JsonSchema;
  values: Record<string, unknown>;
  secrets: Record<string, boolean>;
};

/** Asks for the settings. */
export const getSettings = async (name: string): Promise<ShownSettings> =>
  (await api.get<{ data: ShownSettings }>(`${pathOf(name)}/settings`)).data;

/** Changes the settings named in `values`. */
export const saveSettings = (
  name: string,
  values: Record<string, unknown>,
): Promise<{ message: string; data: ShownSettings }> => api.put(`${pathOf(name)}/settings`, { values });

/** Lines of the log of the server that answered. */
export type LogPart = { replica: string; lines: PluginLogLine[] };

/** Asks for the lines behind the one with that number. */
export const getLog = async (name: string, after: number): Promise<LogPart> =>
  (await api.get<{ data: LogPart }>(`${pathOf(name)}/logs?after=${after}`)).data;
