export { environmentRedis, findBucket, findRedis } from "./live-settings.ts";
export { createServiceStates, createSettingsService } from "./settings-service.ts";
export { secretSealing } from "./stored-settings.ts";
export { runTest } from "./test-services.ts";
