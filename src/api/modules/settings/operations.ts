import { implement } from "#api/core/implement.ts";
import { accountSettings, coreSettings } from "#contract/core-settings.ts";
import { getSettings, getSite, updateSettings, updateSite } from "./change-settings.ts";
import { listChanges, revertChange } from "./changes.ts";
import { settingsContract } from "./contract.ts";
import { getCredentials, updateCredentials } from "./credentials.ts";
import { uploadImage } from "./site-images.ts";
import { testBucket, testRateLimit, testRedis } from "./test-services.ts";

/** What does the operations about settings. */
export const settingsOperations = implement("settings", settingsContract, {
  credentials: getCredentials,
  setCredentials: updateCredentials,
  core: (ctx) => getSettings(ctx, coreSettings),
  setCore: (ctx, change) => updateSettings(ctx, coreSettings, change),
  accounts: (ctx) => getSettings(ctx, accountSettings),
  setAccounts: (ctx, change) => updateSettings(ctx, accountSettings, change),
  site: getSite,
  setSite: updateSite,
  uploadImage,
  history: listChanges,
  revert: revertChange,
  testRedis,
  testStorage: testBucket,
  testRateLimit,
});
