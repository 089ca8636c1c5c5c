export { anyGuards, listEnabled } from "./read-plugins.ts";
export { renewSignatures } from "./renew-signatures.ts";
export { saveOwnSettings } from "./settings.ts";
export { pluginSecretSealing, readPluginSecret } from "./store.ts";
export { sweepPackages, syncBundled } from "./sweep-packages.ts";
