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
  readonly store: "memory" | "redis";
};
