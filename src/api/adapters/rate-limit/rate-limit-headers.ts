import type { RateDecision, RateRule } from "./rate-limiter.ts";

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
