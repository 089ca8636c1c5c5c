export { anyGuards, listEnabled } from "./read-plugins.ts";
export { renewSignatures } from "./renew-signatures.ts";
export { pluginSecretSealing, readPluginSecret } from "./secret-store.ts";
export { saveOwnSettings } from "./settings.ts";
export { sweepPackages, syncBundled } from "./sweep-packages.ts";
