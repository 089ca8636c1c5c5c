export { findBucket } from "./find-bucket.ts";
export { findRedis } from "./find-redis.ts";
export { runTest } from "./run-test.ts";
export { secretSealing } from "./sealed-secret.ts";
export { createServiceStates } from "./service-states.ts";
export { createSettingsDesk } from "./settings-desk.ts";
export { environmentRedis } from "./to-live-settings.ts";
