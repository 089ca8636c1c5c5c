import type { Client } from "#cli/client/client.ts";
import type { PluginCommands } from "#contract/plugin-commands.ts";

/** The terminal commands of a plugin, by its name. */
export type PluginWord = {
  plugin: string;
  commands: PluginCommands;
  /** Where they were asked for, and are run; wherever the operator means unless given. */
  client?: Client;
};
