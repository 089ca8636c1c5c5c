import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";

/**
 * What a plugin's module exports by default, when that has a name and a version; `null`, with a warning, for a module
 * without. A module that is missing altogether is passed over in silence.
 */
export const readPluginModule = (
  id: string,
  module: unknown,
  warn: (message: string) => void,
): WindowFrontend | null => {
  if (module === null || module === undefined) return null;
  const plugin = fieldOf(module, "default");
  if (isText(fieldOf(plugin, "name")) && isText(fieldOf(plugin, "version"))) return asFrontend(plugin);
  warn(`the plugin ${id} was skipped: its module needs a default export with name and version`);
  return null;
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Its name and version were looked at; the rest is the plugin's own promise, and its failures are caught where it is shown. */
const asFrontend = (plugin: unknown): WindowFrontend => plugin as WindowFrontend;
