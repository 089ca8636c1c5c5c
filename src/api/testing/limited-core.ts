import {
  type CoreSettings,
  coreSettings,
  type RateLimitSettings,
  type SecuritySettings,
} from "#contract/core-settings.ts";

/** The defaults, limit on calls included, with what a test changes about it. */
export const limitedCore = (
  rateLimiting: Partial<RateLimitSettings> = {},
  security: Partial<SecuritySettings> = {},
): CoreSettings => ({
  rateLimiting: { ...coreSettings.defaults.rateLimiting, ...rateLimiting },
  security: { ...coreSettings.defaults.security, ...security },
});
