export { renewSignatures, sweepPackages, syncBundled } from "./packages.ts";
export { anyGuards, listEnabled } from "./read-plugins.ts";
export { effectiveSettings, saveOwnSettings, secretFields } from "./settings.ts";
export { pluginSecretSealing, readPluginSecret } from "./store.ts";
