import { createMemoryRateLimiter } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { Clock } from "#api/core/clock.ts";

/** The limiter as it is where no Redis is set up. */
export const createLocalRateLimiter = (clock: Clock): RateLimiter => {
  const memory = createMemoryRateLimiter({ clock });
  return {
    take: memory.take,
    forget: async (key) => {
      memory.forget(key);
      return true;
    },
    store: "memory",
  };
};
