import { AppError } from "#api/core/app-error.ts";
import type { Json } from "#plugins/sdk/types.ts";
import type { HostedPlugin, HostFunction } from "./hosted-plugin.ts";
import { invalid, PluginFault } from "./plugin-fault.ts";
import { textArgument } from "./read-argument.ts";

/** Where the settings of plugins are kept. */
export type SettingsAccess = {
  /** Changes the fields that are named. Throws `VALIDATION_FAILED` for what does not fit the plugin's schema. */
  save(plugin: Pick<HostedPlugin, "name" | "dataKey">, patch: Record<string, unknown>): Promise<void>;
  /** A secret field in the clear, or `null` when it is not set. */
  readSecret(dataKey: string, field: string): Promise<string | null>;
};

/** What plugins do with their own settings. */
export const createSettingFunctions = (
  access: SettingsAccess,
): Record<"settings.set" | "secrets.get", HostFunction> => ({
  "settings.set": {
    permission: "settings.write",
    run: async ({ plugin, args: [patch] }) => {
      if (patch === null || typeof patch !== "object" || Array.isArray(patch))
        throw invalid("settings has to be an object");
      const properties = plugin.manifest.settings?.schema.properties ?? {};
      const secret = Object.keys(patch).find(
        (field) => Object.hasOwn(properties, field) && properties[field]?.["x-secret"] === true,
      );
      if (secret !== undefined) throw invalid(`${secret} is a secret, which only admins set`);
      await save(access, plugin, patch);
      return undefined;
    },
  },
  "secrets.get": {
    permission: "secrets.read",
    run: async ({ plugin, args: [field] }) => {
      const name = textArgument(field, "key", 100);
      const properties = plugin.manifest.settings?.schema.properties ?? {};
      if (!Object.hasOwn(properties, name) || properties[name]?.["x-secret"] !== true)
        throw invalid(`${name} is no secret field of the settings`);
      return (await access.readSecret(plugin.dataKey, name)) ?? undefined;
    },
  },
});

const save = async (
  access: SettingsAccess,
  plugin: HostedPlugin,
  patch: Record<string, Json>,
): Promise<void> => {
  try {
    await access.save(plugin, patch);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "VALIDATION_FAILED") throw error;
    const [first] = error.errors ?? [];
    throw new PluginFault("INVALID", first ? `${first.path}: ${first.message}` : error.message);
  }
};
