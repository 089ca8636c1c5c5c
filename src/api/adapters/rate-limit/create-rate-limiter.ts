import type { Clock } from "#api/core/clock.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";
import type { RateDecision, RateLimiter, RateRule } from "./rate-limiter.ts";
import { createRedisRateCounter } from "./redis-rate-counter.ts";

/**
 * `secret` hides clients' addresses in Redis; the same in all processes of an installation. The link is not to be used
 * before the limiter is made.
 */
export type RateLimiterOptions = { clock: Clock; link: RedisLink; secret: Uint8Array };

/**
 * Counts in memory and, while there is Redis, there too for all processes together; a request passes when both let it.
 * So a process never lets more pass than the rule says, whatever becomes of Redis and its clock, and one that is full
 * asks no one.
 */
export const createRateLimiter = ({ clock, link, secret }: RateLimiterOptions): RateLimiter => {
  const memory = createMemoryRateLimiter({ clock });
  const redis = createRedisRateCounter({ link, secret });

  const takeFromBoth = async (key: string, rule: RateRule): Promise<RateDecision> => {
    const there = await redis.take(key, rule);
    if (there?.isAllowed === false) return there;
    const here = memory.take(key, rule);
    return there === null ? here : stricter(here, there);
  };

  return {
    take: (key, rule) => {
      if (!link.isUp) return memory.take(key, rule);
      const known = memory.look(key, rule);
      return known.isAllowed ? takeFromBoth(key, rule) : known;
    },
    forget: async (key) => {
      memory.forget(key);
      return link.isConfigured ? redis.forget(key) : true;
    },
    get store() {
      return link.isUp ? "redis" : "memory";
    },
  };
};

/** Redis let a request pass: what memory says of it, and the smaller rest. */
const stricter = (here: RateDecision, there: RateDecision): RateDecision => ({
  isAllowed: here.isAllowed,
  remaining: Math.min(here.remaining, there.remaining),
  resetMs: here.isAllowed ? Math.min(here.resetMs, there.resetMs) : here.resetMs,
});
