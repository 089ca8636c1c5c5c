export { environmentRedis, findBucket, findRedis } from "./live-settings.ts";
export { secretSealing } from "./sealed-secret.ts";
export { createServiceStates, createSettingsDesk } from "./settings-desk.ts";
export { runTest } from "./test-services.ts";
