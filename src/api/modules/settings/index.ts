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
  clientSecretOf,
  readSettings,
  secretSealing,
} from "./store.ts";
export { runTest } from "./test-services.ts";
