export { renewSignatures, sweepPackages, syncBundled } from "./packages.ts";
export { anyGuards, listEnabled } from "./read-plugins.ts";
export { saveOwnSettings } from "./settings.ts";
export { pluginSecretSealing, readPluginSecret } from "./store.ts";
