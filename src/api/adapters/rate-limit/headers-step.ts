import type { TestStep } from "#contract/settings.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { RateDecision, RateRule } from "./rate-limiter.ts";

/** Whether the header fields that answers would carry can be read and fit the rule; one of each kind is shown. */
export const headersStep = ({ rule, decisions }: { rule: RateRule; decisions: RateDecision[] }): TestStep => {
  const unfit = decisions.find((decision) => !isFit(rule, decision));
  const last = unfit ?? decisions.findLast(({ isAllowed }) => !isAllowed) ?? decisions[0];
  const shown = last === undefined ? "none" : describe(rule, last);
  if (unfit === undefined && last !== undefined)
    return { name: "Headers", status: "passed", message: `A refused request gets ${shown}` };
  return {
    name: "Headers",
    status: "failed",
    message: `These do not fit the rule: ${shown}`,
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
