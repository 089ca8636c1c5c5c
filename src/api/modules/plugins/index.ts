export { anyGuards, listEnabled } from "./list-enabled.ts";
export { renewSignatures } from "./renew-signatures.ts";
export { saveOwnSettings } from "./save-own-settings.ts";
export { pluginSecretSealing, readPluginSecret } from "./sealed-secret.ts";
export { sweepPackages } from "./sweep-packages.ts";
export { syncBundled } from "./sync-bundled.ts";
