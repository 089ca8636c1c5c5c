import type { RateDecision, RateLimiter } from "./rate-limiter.ts";

/** The same limiter; `onRefusal` hears of each request that it lets not pass. */
export const countedLimiter = (limiter: RateLimiter, onRefusal: () => void): RateLimiter => {
  const seen = (decision: RateDecision): RateDecision => {
    if (!decision.isAllowed) onRefusal();
    return decision;
  };
  return {
    take: (key, rule) => {
      const decision = limiter.take(key, rule);
      return decision instanceof Promise ? decision.then(seen) : seen(decision);
    },
    forget: limiter.forget,
    get store() {
      return limiter.store;
    },
  };
};
