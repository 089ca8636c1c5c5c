import { implement } from "#api/core/implement.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { activateVersion } from "./activate-version.ts";
import { addKey } from "./add-key.ts";
import { changeKey } from "./change-key.ts";
import { pluginKeysContract, pluginsContract } from "./contract.ts";
import { deleteRetained } from "./delete-retained.ts";
import { discardVersion } from "./discard-version.ts";
import { downloadPlugin } from "./download-plugin.ts";
import { getPlugin } from "./get-plugin.ts";
import { getSettings } from "./get-settings.ts";
import { listKeys } from "./list-keys.ts";
import { listPlugins } from "./list-plugins.ts";
import { readData } from "./read-data.ts";
import { readLogs } from "./read-logs.ts";
import { removePlugin } from "./remove-plugin.ts";
import { replacePublisher } from "./replace-publisher.ts";
import { restorePlugin } from "./restore-plugin.ts";
import { revokeKey } from "./revoke-key.ts";
import { togglePlugin } from "./toggle-plugin.ts";
import { updateSettings } from "./update-settings.ts";

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
