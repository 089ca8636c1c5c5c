import { createTestClock } from "#api/testing/clock.ts";
import { noRedis, testRateLimiter } from "#api/testing/rate-limiter-contract.ts";
import { createRateLimiter } from "./create-rate-limiter.ts";

testRateLimiter("the limiter without Redis", async () => {
  const clock = createTestClock();
  return {
    limiter: createRateLimiter({ clock, link: noRedis, secret: new Uint8Array(32) }),
    pass: async (ms) => clock.advance(ms),
    nowMs: clock.uptimeMs,
    close: async () => {},
  };
});
