export { pluginKeyRoutes } from "./key-routes.ts";
export { listEnabled } from "./list-enabled.ts";
export { pluginPackageRoutes } from "./package-routes.ts";
export { pluginRoutes } from "./routes.ts";
export { saveOwnSettings } from "./save-own-settings.ts";
export { pluginSecretSealing, readPluginSecret } from "./sealed-secret.ts";
export { pluginSettingsRoutes } from "./settings-routes.ts";
export { sweepPackages } from "./sweep-packages.ts";
export { syncBundled } from "./sync-bundled.ts";
