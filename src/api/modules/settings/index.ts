export { settingsRoutes } from "./routes.ts";
export { runTest } from "./run-test.ts";
export { createSettingsDesk } from "./settings-desk.ts";
export { settingsTestRoutes } from "./test-routes.ts";
