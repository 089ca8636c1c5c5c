/** How many requests of one key pass in any span of `windowMs`. */
export type RateRule = { max: number; windowMs: number };

/** Whether a request passes, and what its sender may know of the rest. */
export type RateDecision = {
  isAllowed: boolean;
  /** How many more would pass at this moment. */
  remaining: number;
  /**
   * Of a request that passes: milliseconds until the oldest one that counts leaves the window. Of a refused one: until
   * there is room again.
   */
  resetMs: number;
};

/** Counts requests by key. Never throws: what becomes of Redis is its own affair. */
export type RateLimiter = {
  /**
   * Counts a request if it passes; refused ones cost nothing. The rule may be another one at each call. At once while
   * memory alone counts or already knows that there is no room, otherwise a promise.
   */
  take(key: string, rule: RateRule): RateDecision | Promise<RateDecision>;
  /** Forgets a key. `false`: Redis could not be told, and forgets it by itself when its window is over. */
  forget(key: string): Promise<boolean>;
  /** Where requests are counted at this moment. */
  readonly store: "memory" | "redis" | "postgres";
};

/** Counts requests of all servers that share a database. */
export type SharedRateCounter = {
  /** Whether to ask it: other servers use the database, and it responds. */
  readonly isUp: boolean;
  /** Counts a request if it passes; `null` if the database could not be asked in time. */
  take(key: string, rule: RateRule): Promise<RateDecision | null>;
  /** Forgets a key; `false` if the database could not be asked. */
  forget(key: string): Promise<boolean>;
};

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

/** What an answer says of the limit. `Retry-After` is there when the request was refused. */
export type RateLimitHeaders = { "RateLimit-Policy": string; RateLimit: string; "Retry-After"?: string };

/**
 * The header fields of the IETF draft "RateLimit header fields for HTTP", for the policy of that name, and
 * `Retry-After`. Seconds are rounded up: whoever waits for as long as he is told is not refused again.
 */
export const rateLimitHeaders = (
  rule: RateRule,
  decision: RateDecision,
  policy = "core",
): RateLimitHeaders => {
  const seconds = Math.ceil(decision.resetMs / 1000);
  const headers = {
    "RateLimit-Policy": `"${policy}";q=${rule.max};w=${Math.ceil(rule.windowMs / 1000)}`,
    RateLimit: `"${policy}";r=${decision.remaining};t=${seconds}`,
  };
  return decision.isAllowed ? headers : { ...headers, "Retry-After": String(Math.max(1, seconds)) };
};
