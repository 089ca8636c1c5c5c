export { settingsRuns } from "./declared-settings.ts";
export { environmentRedis, findBucket, findRedis, toOidcProvider } from "./live-settings.ts";
export type { SettingPlan } from "./save-change.ts";
export { saveChange } from "./save-change.ts";
export { createServiceStates, createSettingsService } from "./settings-service.ts";
export {
  type AddedProviders,
  clientSecretOf,
  readSettings,
  type StoredSettings,
  secretSealing,
} from "./stored-settings.ts";
export { runTest } from "./test-services.ts";
