import type { Clock } from "#api/core/clock.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";
import type { RateDecision, RateLimiter, RateRule, SharedRateCounter } from "./rate-limiter.ts";
import { createRedisRateCounter } from "./redis-rate-counter.ts";

/**
 * `secret` hides clients' addresses in Redis; the same in all processes of an installation. The link is not to be used
 * before the limiter is made. `database` counts while there is no Redis; without it, memory alone does.
 */
export type RateLimiterOptions = {
  clock: Clock;
  link: RedisLink;
  secret: Uint8Array;
  database?: SharedRateCounter;
};

/**
 * Counts in memory and, while there is Redis or a database that others use too, there as well for all processes together; a
 * request passes when both let it. So a process never lets more pass than the rule says, whatever happens to Redis and its
 * clock, and one that is full asks no one.
 */
export const createRateLimiter = ({ clock, link, secret, database }: RateLimiterOptions): RateLimiter => {
  const memory = createMemoryRateLimiter({ clock });
  const redis = createRedisRateCounter({ link, secret });

  /** Who counts for all processes at this moment. */
  const store = (): "memory" | "redis" | "postgres" => {
    if (link.isUp) return "redis";
    return database?.isUp === true ? "postgres" : "memory";
  };

  const takeFromBoth = async (
    shared: Pick<SharedRateCounter, "take">,
    key: string,
    rule: RateRule,
  ): Promise<RateDecision> => {
    const there = await shared.take(key, rule);
    if (there?.isAllowed === false) return there;
    const here = memory.take(key, rule);
    return there === null ? here : stricter(here, there);
  };

  return {
    take: (key, rule) => {
      const at = store();
      const shared = at === "redis" ? redis : database;
      if (at === "memory" || shared === undefined) return memory.take(key, rule);
      const known = memory.look(key, rule);
      return known.isAllowed ? takeFromBoth(shared, key, rule) : known;
    },
    forget: async (key) => {
      memory.forget(key);
      const isForgotten = database?.isUp === true ? await database.forget(key) : true;
      return (link.isConfigured ? await redis.forget(key) : true) && isForgotten;
    },
    get store() {
      return store();
    },
  };
};

/** Redis let a request pass: what memory says of it, and the smaller rest. */
const stricter = (here: RateDecision, there: RateDecision): RateDecision => ({
  isAllowed: here.isAllowed,
  remaining: Math.min(here.remaining, there.remaining),
  resetMs: here.isAllowed ? Math.min(here.resetMs, there.resetMs) : here.resetMs,
});
