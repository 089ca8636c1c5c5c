export { settingsRuns } from "./feature-settings.ts";
export { environmentRedis, findBucket, findRedis, toOidcProvider } from "./live-settings.ts";
export { readSettings } from "./read-settings.ts";
export { saveChange } from "./save-change.ts";
export type { SettingPlan } from "./setting-plan.ts";
export { createServiceStates, createSettingsService } from "./settings-service.ts";
export {
  type AddedProviders,
  clientSecretOf,
  type StoredSettings,
  secretSealing,
} from "./stored-settings.ts";
export { runTest } from "./test-services.ts";
