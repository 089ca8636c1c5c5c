import type { RateLimitSettings } from "#contract/core-settings.ts";
import type { TestStep } from "#contract/settings.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { RateDecision, RateRule } from "./rate-limiter.ts";

/** What a burst came to, and the rule under which it was tried. */
type Tried = { rule: RateRule; decisions: RateDecision[] };

/**
 * Whether the header fields that answers carry can be read and fit the rule that was tried. Those of a refused request are
 * shown as real ones get them, under the rule that is set.
 */
export const headersStep = ({ rule, decisions }: Tried, { maxRequests }: RateLimitSettings): TestStep => {
  const unfit = decisions.find((decision) => !isFit(rule, decision));
  const shown = decisions.findLast(({ isAllowed }) => !isAllowed) ?? decisions[0];
  if (unfit === undefined && shown !== undefined) {
    const who = shown.isAllowed ? "An allowed" : "A refused";
    const fields = describe({ ...rule, max: maxRequests }, shown);
    return { name: "Headers", status: "passed", message: `${who} request gets ${fields}.` };
  }
  return {
    name: "Headers",
    status: "failed",
    message: `These do not fit the rule: ${unfit === undefined ? "none" : describe(rule, unfit)}.`,
    remedy:
      "Check that the clock of the Redis server is not being set while the server runs, and run the test again.",
  };
};

const describe = (rule: RateRule, decision: RateDecision): string =>
  Object.entries(rateLimitHeaders(rule, decision))
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");

const isFit = (rule: RateRule, decision: RateDecision): boolean => {
  const headers = rateLimitHeaders(rule, decision);
  const policy = numbersOf(/^"core";q=(\d+);w=(\d+)$/, headers["RateLimit-Policy"]);
  const [remaining = -1, seconds = -1] = numbersOf(/^"core";r=(\d+);t=(\d+)$/, headers.RateLimit);
  const windowS = rule.windowMs / 1000;
  const isPolicyRight = policy[0] === rule.max && policy[1] === windowS;
  const isRestRight = remaining >= 0 && remaining < rule.max && seconds >= 1 && seconds <= windowS;
  const retryAfter = headers["Retry-After"];
  if (decision.isAllowed) return isPolicyRight && isRestRight && retryAfter === undefined;
  return isPolicyRight && isRestRight && remaining === 0 && Number(retryAfter) === seconds;
};

const numbersOf = (pattern: RegExp, text: string): number[] =>
  (pattern.exec(text) ?? []).slice(1).map(Number);
