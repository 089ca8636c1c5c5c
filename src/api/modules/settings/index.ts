export { environmentRedis, findBucket, findRedis } from "./live-settings.ts";
export { secretSealing } from "./sealed-secret.ts";
export { createServiceStates, createSettingsService } from "./settings-service.ts";
export { runTest } from "./test-services.ts";
