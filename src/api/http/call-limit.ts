import {
  type RateDecision,
  type RateLimiter,
  type RateRule,
  rateLimitHeaders,
} from "#api/adapters/rate-limit/rate-limiter.ts";
import { isAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { networkOf, siteOf, siteTimes } from "#api/core/circumstances.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { Exchange, Route } from "#api/door/exchange.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import type { RateLimitSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";

/**
 * The core's rate limit on the API: one counter for each client, across all routes. While plugin routes are exempt,
 * visitors have a separate counter there.
 */
type CallLimit = {
  /** Whether the caller must be known to decide whether the request counts. */
  dependsOnPerson(exchange: Exchange, route: Route): boolean;
  /** Counts a request against its API token's own limit, if any. Throws as {@link count} does. */
  countToken(exchange: Exchange): void | Promise<void>;
  /**
   * Counts a request to `route`, or to none. Throws `RATE_LIMITED` when the client has reached the limit. Exempt requests, and all
   * requests while the limit is off, are not counted.
   */
  count(exchange: Exchange, route: Route | null): void | Promise<void>;
};

type CallLimitOptions = { rateLimiter: RateLimiter; log: Log };

/** Applies the limit that is set at the time of each request. */
export const createCallLimit = ({ rateLimiter, log }: CallLimitOptions): CallLimit => {
  const countWith = async (exchange: Exchange, { key, rule, message, policy }: Counter): Promise<void> => {
    let decision: RateDecision;
    try {
      decision = await rateLimiter.take(key, rule);
    } catch (error) {
      // A limit that can't count must not block the whole API.
      const { requestId } = exchange;
      log.error("a request could not be counted", { requestId, error: describeError(error) });
      return;
    }
    const { "Retry-After": retryAfter, ...limitHeaders } = rateLimitHeaders(rule, decision, policy);
    exchange.limitHeaders = limitHeaders;
    // Who wants to leave a shared computer must be able to.
    if (decision.isAllowed || exchange.route?.exemption === "sign-out") return;
    throw new AppError("RATE_LIMITED", message, { retryAfterS: Number(retryAfter) });
  };

  /** Counts a request for its address and, with IPv6, for its site too; the client hears of the site only when refused. */
  const countPlace = async (exchange: Exchange, counter: Counter): Promise<void> => {
    await countWith(exchange, { ...counter, key: `${counter.key}${networkOf(exchange.ip)}` });
    const site = siteOf(exchange.ip);
    if (site === null) return;
    const { limitHeaders } = exchange;
    const { max, windowMs } = counter.rule;
    const rule = { max: max * siteTimes, windowMs };
    await countWith(exchange, { ...counter, key: `${counter.key}${site}`, rule });
    exchange.limitHeaders = limitHeaders;
  };

  return {
    dependsOnPerson: ({ switches, cookies, bearer }, { exemption, isShared }) =>
      (exemption === "admin"
        ? switches.limit?.skipAdminRoutes === true
        : exemption === "plugin" && !isShared && switches.pluginRoutesSkipped !== null) &&
      (bearer !== null || cookies.session.token !== null),
    count: (exchange, route) => {
      const { limit, pluginRoutesSkipped } = exchange.switches;
      if (route?.exemption === "plugin" && pluginRoutesSkipped !== null) {
        // Files are the same for everyone and cacheable, as pages are.
        if (route.isShared || exchange.actor.kind !== "visitor") return;
        return countPlace(exchange, {
          key: "plugins\n",
          rule: { max: limits.pluginCallsByVisitor, windowMs: limits.pluginCallsWindowMs },
          message: pluginRoutesSkipped.message,
          policy: "plugins",
        });
      }
      if (limit === null || isSkippedForAdmin(exchange, route, limit)) return;
      return countPlace(exchange, {
        key: "",
        rule: { max: limit.maxRequests, windowMs: limit.windowMs },
        message: limit.message,
        policy: "core",
      });
    },
    countToken: (exchange) => {
      if (exchange.actor.kind !== "token" || exchange.actor.token.callsPerMinute === null) return;
      const { id, callsPerMinute } = exchange.actor.token;
      return countWith(exchange, {
        key: `token:${id}`,
        rule: { max: callsPerMinute, windowMs: 60_000 },
        message: tokenTexts.callsUsedUp,
        policy: "token",
      });
    },
  };
};

/** Depends on route and user alone, so that nothing in a request can change it. */
const isSkippedForAdmin = ({ actor }: Exchange, route: Route | null, limit: RateLimitSettings): boolean => {
  if (route?.exemption !== "admin" || !limit.skipAdminRoutes) return false;
  return isAdmin(actor);
};

/** What a counter counts and what clients read at its limit; `policy` is its name in the headers. */
type Counter = { key: string; rule: RateRule; message: string; policy: string };
