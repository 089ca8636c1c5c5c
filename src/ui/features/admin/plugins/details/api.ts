import type { Plugin, PluginDetails } from "#contract/plugins.ts";
import { client } from "#ui/lib/client.ts";
import { listPlugins } from "../api.ts";

/** A plugin, and the others that it may need or be needed by. */
export type Opened = { plugin: PluginDetails; plugins: Plugin[] };

/** Asks for a plugin and the list of all. */
export const openPlugin = async (name: string): Promise<Opened> => {
  const [plugin, plugins] = await Promise.all([client.plugins.get({ name }), listOthers()]);
  return { plugin: plugin.data, plugins };
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
