import { rateLimitHeaders } from "#api/adapters/rate-limit/rate-limit-headers.ts";
import type { RateDecision, RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { AppError } from "#api/core/app-error.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { networkOf } from "#api/core/network-of.ts";
import type { RateLimitSettings } from "#contract/core-settings.ts";
import type { Passage } from "./passage.ts";
import type { Route } from "./route-table.ts";

/** The core's limit on calls of the API: one counter for each client, whatever it calls and however. */
export type CallLimit = {
  /** Whether it must be known who calls before it can be said whether the call counts. */
  dependsOnPerson(passage: Passage, route: Route): boolean;
  /**
   * Counts a call that leads to `route`, or to none; a promise only when the counter is elsewhere. Throws `RATE_LIMITED`
   * when the client has no room left. Calls that are skipped, and all while the limit is off, go on uncounted.
   */
  count(passage: Passage, route: Route | null): void | Promise<void>;
};

export type CallLimitOptions = { rateLimiter: RateLimiter; log: Log };

/** Applies the limit as it is set at the moment of each call. */
export const createCallLimit = ({ rateLimiter, log }: CallLimitOptions): CallLimit => {
  const judge = (passage: Passage, limit: RateLimitSettings, decision: RateDecision): void => {
    const rule = { max: limit.maxRequests, windowMs: limit.windowMs };
    const { "Retry-After": retryAfter, ...standing } = rateLimitHeaders(rule, decision);
    passage.standing = standing;
    if (decision.isAllowed) return;
    throw new AppError("RATE_LIMITED", limit.message, { retryAfterS: Number(retryAfter) });
  };

  // A limit that cannot count must not take the whole API away.
  const letPass = ({ requestId }: Passage, error: unknown): void =>
    log.error("a call could not be counted", { requestId, error: describeError(error) });

  return {
    dependsOnPerson: ({ switches, cookies }, { exemption }) =>
      exemption === "admin" && switches.limit?.skipAdminRoutes === true && cookies.session.token !== null,
    count: (passage, route) => {
      const { limit } = passage.switches;
      if (limit === null || isSkipped(passage, route, limit)) return;
      const decision = take(rateLimiter, passage, limit);
      if (decision instanceof Error) return letPass(passage, decision);
      if (!(decision instanceof Promise)) return judge(passage, limit, decision);
      return decision.then(
        (made) => judge(passage, limit, made),
        (error) => letPass(passage, error),
      );
    },
  };
};

/** By route and person alone: nothing that a caller may write into a request makes a difference. */
const isSkipped = ({ actor }: Passage, route: Route | null, limit: RateLimitSettings): boolean => {
  if (route?.exemption === "plugin") return limit.skipPluginRoutes;
  if (route?.exemption !== "admin" || !limit.skipAdminRoutes) return false;
  return actor.kind === "user" && actor.user.role === "admin";
};

const take = (
  rateLimiter: RateLimiter,
  { ip }: Passage,
  { maxRequests, windowMs }: RateLimitSettings,
): RateDecision | Promise<RateDecision> | Error => {
  try {
    return rateLimiter.take(networkOf(ip), { max: maxRequests, windowMs });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};
