import {
  type CoreSettings,
  defaultCoreSettings,
  type RateLimitSettings,
  type SecuritySettings,
} from "#contract/core-settings.ts";

/** The defaults, limit on calls included, with what a test changes about it. */
export const limitedCore = (
  rateLimiting: Partial<RateLimitSettings> = {},
  security: Partial<SecuritySettings> = {},
): CoreSettings => ({
  rateLimiting: { ...defaultCoreSettings.rateLimiting, ...rateLimiting },
  security: { ...defaultCoreSettings.security, ...security },
});
