import type { Context } from "#api/core/context.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import { runTest } from "./run-test.ts";

/**
 * Sends a burst through the real limiter, under a key that nobody else has. For admins and the operator. Throws
 * `CONFLICT` and `TEST_FAILED`.
 */
export const testRateLimit = (ctx: Context) =>
  runTest(ctx, {
    action: "Tested the limit on requests",
    titles: { works: settingsTexts.limiterWorks, fails: settingsTexts.limiterFails },
    test: () => ctx.connectionTests.rateLimiter(),
  });
