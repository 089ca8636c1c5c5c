import { implement } from "#api/core/implement.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { settingsContract } from "./contract.ts";
import { getSettings, updateSettings } from "./declared-settings.ts";
import { getCredentials } from "./get-credentials.ts";
import { listChanges } from "./list-changes.ts";
import { revertChange } from "./revert-change.ts";
import { testBucket } from "./test-bucket.ts";
import { testRateLimit } from "./test-rate-limit.ts";
import { testRedis } from "./test-redis.ts";
import { updateCredentials } from "./update-credentials.ts";

/** What does the operations about settings. */
export const settingsOperations = implement("settings", settingsContract, {
  credentials: getCredentials,
  setCredentials: updateCredentials,
  core: (ctx) => getSettings(ctx, coreSettings),
  setCore: (ctx, change) => updateSettings(ctx, coreSettings, change),
  accounts: (ctx) => getSettings(ctx, accountSettings),
  setAccounts: (ctx, change) => updateSettings(ctx, accountSettings, change),
  history: listChanges,
  revert: revertChange,
  testRedis,
  testStorage: testBucket,
  testRateLimit,
});
