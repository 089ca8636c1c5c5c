import { randomUUID } from "node:crypto";
import type { ConnectionReport } from "#api/core/settings.ts";
import type { RateLimitSettings } from "#contract/core-settings.ts";
import { durationLabel } from "#contract/define-settings.ts";
import type { ServiceState, TestStep } from "#contract/settings.ts";
import { type RateDecision, type RateLimiter, type RateRule, rateLimitHeaders } from "./rate-limiter.ts";

/** The limit as it is set, and how Redis is doing. */
type RateLimiterTestInput = { settings: RateLimitSettings; redis: ServiceState };

/** What came of the burst, and where it was counted. */
type Burst = { rule: RateRule; decisions: RateDecision[]; tookMs: number; stores: Set<string> };

/**
 * Sends a real burst through the limiter: some more than may pass, all at once, under a key that no one else has and
 * that is gone afterwards. Never throws.
 */
export const rateLimiterTest = async (
  limiter: RateLimiter,
  { settings, redis }: RateLimiterTestInput,
): Promise<ConnectionReport> => {
  const rule = { max: Math.min(settings.maxRequests, mostTried), windowMs: settings.windowMs };
  const key = `limiter-test ${randomUUID()}`;
  const burst = await sendBurst(limiter, key, rule);
  const steps = [
    ruleStep(settings, rule),
    storeStep(burst, redis),
    allowedStep(burst),
    refusedStep(burst),
    headersStep(burst, settings),
    timeStep(burst),
    await cleanUpStep(limiter, key),
  ];
  const isWorking = steps.every(({ status }) => status !== "failed");
  const { max } = rule;
  return {
    isWorking,
    summary: isWorking
      ? `${max} of ${max + surplus} requests passed and ${surplus} were refused, as the rule says.`
      : "The limiter did not follow the rule.",
    details: "The test has its own counter: no other requests were counted or refused.",
    steps,
  };
};

// Above this a burst would be a load of its own; the rule is counted in the same way at any size.
const mostTried = 200;
const surplus = 5;

const sendBurst = async (limiter: RateLimiter, key: string, rule: RateRule): Promise<Burst> => {
  const stores = new Set([limiter.store]);
  const startedAt = performance.now();
  const requests = Array.from({ length: rule.max + surplus }, () => limiter.take(key, rule));
  const decisions = await Promise.all(requests);
  const tookMs = performance.now() - startedAt;
  return { rule, decisions, tookMs, stores: stores.add(limiter.store) };
};

const ruleStep = ({ enabled, maxRequests, windowMs }: RateLimitSettings, { max }: RateRule): TestStep => {
  const tried = max < maxRequests ? `; tested with ${max}, which is counted in the same way` : "";
  const message = `${maxRequests} requests per client in ${durationLabel(windowMs)}${tried}`;
  if (enabled) return { name: "Rule", status: "passed", message: `${message}.` };
  return {
    name: "Rule",
    status: "warning",
    message: `${message}. Rate limiting is turned off: real requests are not counted.`,
    remedy: "Turn rate limiting on and save.",
  };
};

const storeStep = ({ stores }: Burst, redis: ServiceState): TestStep => {
  const name = "Counter";
  if (stores.size > 1)
    return {
      name,
      status: "warning",
      message:
        "Redis became available or unavailable during the test; meanwhile requests were counted in memory.",
      remedy: "Run the test again. If this persists, test the Redis connection.",
    };
  if (stores.has("redis"))
    return {
      name,
      status: "passed",
      message: `Counted in Redis at ${redis.server ?? "its server"}, for all server processes together.`,
    };
  if (redis.state === "unused")
    return { name, status: "passed", message: "Counted in the memory of this server process." };
  return {
    name,
    status: "warning",
    message: `Redis at ${redis.server ?? "its server"} is unavailable${redis.reason === null ? "" : ` (${redis.reason})`}: each server process counts in its own memory.`,
    remedy:
      "Limits still apply, but each process counts on its own until Redis is available again, which is detected automatically. Test the Redis connection to see what is wrong.",
  };
};

const passedOf = ({ decisions }: Burst): number => decisions.filter(({ isAllowed }) => isAllowed).length;

const allowedStep = (burst: Burst): TestStep => {
  const { max } = burst.rule;
  const passed = passedOf(burst);
  if (passed === max)
    return { name: "Allowed requests", status: "passed", message: `${max} of ${max} passed.` };
  return {
    name: "Allowed requests",
    status: "failed",
    message: `${passed} passed; the rule allows ${max}.`,
    remedy:
      "Run the test again. If this persists, check that Redis evicts no keys (maxmemory-policy noeviction) and that nothing changes its clock.",
  };
};

const refusedStep = (burst: Burst): TestStep => {
  const refused = burst.decisions.length - passedOf(burst);
  if (refused === surplus)
    return {
      name: "Refused requests",
      status: "passed",
      message: `The ${surplus} requests over the limit were refused.`,
    };
  return {
    name: "Refused requests",
    status: "failed",
    message: `${refused} were refused; ${surplus} were over the limit.`,
    remedy: "Run the test again. If this persists, restart the server and check its log.",
  };
};

/** Time that a request spends with the limiter; above it people notice. */
const slowMs = 20;

const timeStep = ({ decisions, tookMs }: Burst): TestStep => {
  const eachMs = tookMs / decisions.length;
  const message = `${eachMs < 0.01 ? "less than 0.01" : eachMs.toFixed(2)} ms for each of ${decisions.length} simultaneous requests.`;
  const step = { name: "Time per request", message, durationMs: tookMs };
  if (eachMs < slowMs) return { ...step, status: "passed" };
  return {
    ...step,
    status: "warning",
    remedy: "Each request waits for this. Use a Redis server closer to this one, or reduce its load.",
  };
};

const cleanUpStep = async (limiter: RateLimiter, key: string): Promise<TestStep> => {
  const isGone = await limiter.forget(key);
  if (isGone) return { name: "Clean-up", status: "passed", message: "The test's counter was removed." };
  return {
    name: "Clean-up",
    status: "warning",
    message: "The test's counter could not be removed from Redis.",
    remedy: "You don't have to do anything: it expires at the end of its window.",
  };
};

/** What a burst came to, and the rule under which it was tried. */
type Tried = { rule: RateRule; decisions: RateDecision[] };

/**
 * Whether the header fields that answers carry can be read and fit the rule that was tried. Those of a refused request are
 * shown as real ones get them, under the rule that is set.
 */
const headersStep = ({ rule, decisions }: Tried, { maxRequests }: RateLimitSettings): TestStep => {
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
    message: `These do not match the rule: ${unfit === undefined ? "none" : describe(rule, unfit)}.`,
    remedy:
      "Check that the clock of the Redis server is not being changed while the server runs, and run the test again.",
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
