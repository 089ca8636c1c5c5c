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
import type { Passage, Route } from "#api/door/passage.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import type { RateLimitSettings } from "#contract/core-settings.ts";
import { limits } from "#contract/limits.ts";
import { after } from "./after.ts";

/**
 * The core's limit on calls of the API: one counter for each client, whatever it calls and however. While plugins' routes
 * are left out of it, visitors have a counter of their own there.
 */
export type CallLimit = {
  /** Whether it must be known who calls before it can be said whether the call counts. */
  dependsOnPerson(passage: Passage, route: Route): boolean;
  /** Counts a call against the limit of the API token that makes it, where it has one; throws as {@link count} does. */
  countToken(passage: Passage): void | Promise<void>;
  /**
   * Counts a call that leads to `route`, or to none; a promise only when the counter is elsewhere. Throws `RATE_LIMITED`
   * when the client has no room left. Calls that are skipped, and all while the limit is off, go on uncounted.
   */
  count(passage: Passage, route: Route | null): void | Promise<void>;
};

export type CallLimitOptions = { rateLimiter: RateLimiter; log: Log };

/** Applies the limit as it is set at the moment of each call. */
export const createCallLimit = ({ rateLimiter, log }: CallLimitOptions): CallLimit => {
  const judge = (passage: Passage, { rule, message, policy }: Counter, decision: RateDecision): void => {
    const { "Retry-After": retryAfter, ...standing } = rateLimitHeaders(rule, decision, policy);
    passage.standing = standing;
    if (decision.isAllowed) return;
    throw new AppError("RATE_LIMITED", message, { retryAfterS: Number(retryAfter) });
  };

  // A limit that cannot count must not take the whole API away.
  const letPass = ({ requestId }: Passage, error: unknown): void =>
    log.error("a call could not be counted", { requestId, error: describeError(error) });

  const countWith = (passage: Passage, counter: Counter): void | Promise<void> => {
    const decision = take(rateLimiter, counter);
    if (decision instanceof Error) return letPass(passage, decision);
    if (!(decision instanceof Promise)) return judge(passage, counter, decision);
    return decision.then(
      (made) => judge(passage, counter, made),
      (error) => letPass(passage, error),
    );
  };

  /** Counts a call for where it comes from, and an IPv6 one for its site too, of which only a refusal is told. */
  const countPlace = (passage: Passage, counter: Counter): void | Promise<void> => {
    const counted = countWith(passage, { ...counter, key: `${counter.key}${networkOf(passage.ip)}` });
    const site = siteOf(passage.ip);
    if (site === null) return counted;
    const { max, windowMs } = counter.rule;
    return after(counted, () => {
      const { standing } = passage;
      const wider = { ...counter, key: `${counter.key}${site}`, rule: { max: max * siteTimes, windowMs } };
      return after(countWith(passage, wider), () => {
        passage.standing = standing;
      });
    });
  };

  return {
    dependsOnPerson: ({ switches, cookies, bearer }, { exemption, isShared }) =>
      (exemption === "admin"
        ? switches.limit?.skipAdminRoutes === true
        : exemption === "plugin" && !isShared && switches.pluginRoutesSkipped !== null) &&
      (bearer !== null || cookies.session.token !== null),
    count: (passage, route) => {
      const { limit, pluginRoutesSkipped } = passage.switches;
      if (route?.exemption === "plugin" && pluginRoutesSkipped !== null) {
        // Files are the same for everybody and kept by caches, as pages are.
        if (route.isShared || passage.actor.kind !== "visitor") return;
        return countPlace(passage, {
          key: "plugins\n",
          rule: { max: limits.pluginCallsByVisitor, windowMs: limits.pluginCallsWindowMs },
          message: pluginRoutesSkipped.message,
          policy: "plugins",
        });
      }
      if (limit === null || isSkippedForAdmin(passage, route, limit)) return;
      return countPlace(passage, {
        key: "",
        rule: { max: limit.maxRequests, windowMs: limit.windowMs },
        message: limit.message,
        policy: "core",
      });
    },
    countToken: (passage) => {
      if (passage.actor.kind !== "token" || passage.actor.token.callsPerMinute === null) return;
      const { id, callsPerMinute } = passage.actor.token;
      return countWith(passage, {
        key: `token:${id}`,
        rule: { max: callsPerMinute, windowMs: 60_000 },
        message: tokenTexts.callsUsedUp,
        policy: "token",
      });
    },
  };
};

/** By route and person alone: nothing that a caller may write into a request makes a difference. */
const isSkippedForAdmin = ({ actor }: Passage, route: Route | null, limit: RateLimitSettings): boolean => {
  if (route?.exemption !== "admin" || !limit.skipAdminRoutes) return false;
  return isAdmin(actor);
};

/** What is counted where, and what is said when there is no room; `policy` is its name in the headers. */
type Counter = { key: string; rule: RateRule; message: string; policy: string };

const take = (
  rateLimiter: RateLimiter,
  { key, rule }: Counter,
): RateDecision | Promise<RateDecision> | Error => {
  try {
    return rateLimiter.take(key, rule);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};
