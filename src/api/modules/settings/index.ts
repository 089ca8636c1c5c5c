export type { SettingPlan } from "./change-settings.ts";
export { saveChange, settingsRuns } from "./change-settings.ts";
export {
  createServiceStates,
  createSettingsService,
  environmentRedis,
  findBucket,
  findRedis,
  toOidcProvider,
} from "./settings-service.ts";
export {
  type AddedProviders,
  clientSecretOf,
  readSettings,
  type StoredSettings,
  secretSealing,
} from "./store.ts";
export { runTest } from "./test-services.ts";
