import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";

/** Whose module it is: `id` is the name of the plugin's folder, and the version is known where the server lists it. */
export type ExpectedPlugin = { id: string; version?: string | undefined; warn: (message: string) => void };

/**
 * What a plugin's module exports by default, when that has the plugin's name and version; `null`, with a warning, for a
 * module without, or of another plugin or version. A module that is missing altogether is passed over in silence.
 */
export const readPluginModule = (
  module: unknown,
  { id, version, warn }: ExpectedPlugin,
): WindowFrontend | null => {
  if (module === null || module === undefined) return null;
  const plugin = fieldOf(module, "default");
  const told = { name: fieldOf(plugin, "name"), version: fieldOf(plugin, "version") };
  if (!isText(told.name) || !isText(told.version)) {
    warn(`the plugin ${id} was skipped: its module needs a default export with name and version`);
    return null;
  }
  const expected = `${id} ${version ?? told.version}`;
  const found = `${told.name} ${told.version}`;
  if (found === expected) return asFrontend(plugin);
  warn(`the plugin ${id} was skipped: its module says that it is ${found}, which is not ${expected}`);
  return null;
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Its name and version were looked at; the rest is the plugin's own promise, and its failures are caught where it is shown. */
const asFrontend = (plugin: unknown): WindowFrontend => plugin as WindowFrontend;
