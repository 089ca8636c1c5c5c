import { implement } from "#api/core/implement.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { activateVersion } from "./activate-version.ts";
import { pluginKeysContract, pluginsContract } from "./contract.ts";
import { addKey, changeKey, listKeys, revokeKey } from "./keys.ts";
import { downloadPlugin, getPlugin, listPlugins, readData, readLogs } from "./read-plugins.ts";
import { deleteRetained, discardVersion, removePlugin, restorePlugin } from "./remove-plugin.ts";
import { replacePublisher } from "./replace-publisher.ts";
import { getSettings, updateSettings } from "./settings.ts";
import { togglePlugin } from "./toggle-plugin.ts";

/** What does the operations about plugins. */
export const pluginsOperations = implement("plugins", pluginsContract, {
  list: listPlugins,
  get: getPlugin,
  toggle: togglePlugin,
  remove: (ctx, { name, retainData, force }) =>
    removePlugin(ctx, { name, retainData: retainData === "true", force: force === "true" }),
  activateVersion,
  discardVersion,
  restore: restorePlugin,
  replacePublisher,
  deleteRetained,
  download: downloadPlugin,
  logs: readLogs,
  data: readData,
  settings: getSettings,
  setSettings: updateSettings,
});

/** What does the operations about the keys of publishers. */
export const pluginKeysOperations = implement("pluginKeys", pluginKeysContract, {
  list: async (ctx) => ({ keys: await listKeys(ctx) }),
  trust: async (ctx, { tier = "verified", names = ["*"], notBefore = null, notAfter = null, ...key }) => ({
    message: pluginTexts.keyAdded,
    data: await addKey(ctx, { ...key, tier, names, notBefore, notAfter }),
  }),
  change: async (ctx, input) => ({ message: pluginTexts.keyChanged, data: await changeKey(ctx, input) }),
  revoke: revokeKey,
});
