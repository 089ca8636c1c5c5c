import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
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
import { after } from "./answers.ts";

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
   * Counts a request to `route`, or to none. Returns a promise only when the counter is remote. Throws `RATE_LIMITED` when
   * the client has reached the limit. Exempt requests, and all requests while the limit is off, are not counted.
   */
  count(exchange: Exchange, route: Route | null): void | Promise<void>;
};

type CallLimitOptions = { rateLimiter: RateLimiter; log: Log };

/** Applies the limit that is set at the time of each request. */
export const createCallLimit = ({ rateLimiter, log }: CallLimitOptions): CallLimit => {
  const judge = (exchange: Exchange, { rule, message, policy }: Counter, decision: RateDecision): void => {
    const { "Retry-After": retryAfter, ...limitHeaders } = rateLimitHeaders(rule, decision, policy);
    exchange.limitHeaders = limitHeaders;
    if (decision.isAllowed) return;
    throw new AppError("RATE_LIMITED", message, { retryAfterS: Number(retryAfter) });
  };

  // A limit that can't count must not block the whole API.
  const letPass = ({ requestId }: Exchange, error: unknown): void =>
    log.error("a call could not be counted", { requestId, error: describeError(error) });

  const countWith = (exchange: Exchange, counter: Counter): void | Promise<void> => {
    const decision = take(rateLimiter, counter);
    if (decision instanceof Error) return letPass(exchange, decision);
    if (!(decision instanceof Promise)) return judge(exchange, counter, decision);
    return decision.then(
      (made) => judge(exchange, counter, made),
      (error) => letPass(exchange, error),
    );
  };

  /** Counts a request for its address and, with IPv6, for its site too; the client hears of the site only when refused. */
  const countPlace = (exchange: Exchange, counter: Counter): void | Promise<void> => {
    const counted = countWith(exchange, { ...counter, key: `${counter.key}${networkOf(exchange.ip)}` });
    const site = siteOf(exchange.ip);
    if (site === null) return counted;
    const { max, windowMs } = counter.rule;
    return after(counted, () => {
      const { limitHeaders } = exchange;
      const wider = { ...counter, key: `${counter.key}${site}`, rule: { max: max * siteTimes, windowMs } };
      return after(countWith(exchange, wider), () => {
        exchange.limitHeaders = limitHeaders;
      });
    });
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

/**
 * Makes the system ignore new connections to the TCP port that this process listens on, so that it can be closed while no
 * client waits: closing a listening socket resets clients that have connected but were not accepted yet, perhaps with a
 * request sent. Existing connections, also those waiting to be accepted, continue. New clients retry a second later, and
 * are refused then or reach the next process. Linux only; returns `false` if it was not done.
 */
export const refuseNewcomers = (port: number): boolean => {
  const libc = process.platform === "linux" ? openLibc() : null;
  if (libc === null) return false;
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, withoutSyn.length, true);
  program.setBigUint64(8, BigInt(ptr(encoded)), true);
  const argument = ptr(new Uint8Array(program.buffer));
  const doors = openSockets().filter((fd) => isListening(libc, fd) && portOf(libc, fd) === port);
  const done = doors.map((fd) => libc.setsockopt(fd, socketLevel, attachFilter, argument, 16) === 0);
  return done.length > 0 && !done.includes(false);
};

type Libc = NonNullable<ReturnType<typeof openLibc>>;

// glibc, then musl, which names its library after the processor.
const libcNames = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

const openLibc = () => {
  for (const name of libcNames) {
    try {
      return dlopen(name, {
        getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
        getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
        setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
      }).symbols;
    } catch {
      // The next name may be the right one; without any, the port closes without this.
    }
  }
  return null;
};

// The same numbers on x86-64 and arm64.
const socketLevel = 1;
const attachFilter = 26;
const acceptsConnections = 30;

/** A classic packet filter over the TCP header, as [code, if true, if false, value]: drops connection requests. */
const withoutSyn = [
  [0x30, 0, 0, 13], // load the byte of flags
  [0x45, 0, 1, 0x02], // is SYN set?
  [0x06, 0, 0, 0], // then drop it
  [0x06, 0, 0, 0xffff_ffff], // else let it through
] as const;

const encoded = new Uint8Array(withoutSyn.length * 8);
for (const [index, [code, ifTrue, ifFalse, value]] of withoutSyn.entries()) {
  const view = new DataView(encoded.buffer, index * 8);
  view.setUint16(0, code, true);
  view.setUint8(2, ifTrue);
  view.setUint8(3, ifFalse);
  view.setUint32(4, value, true);
}

/** Every open file of this process; the system calls reject those that are not sockets. */
const openSockets = (): number[] => {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    // Without /proc the socket can't be found, because Bun doesn't expose its descriptor.
    return [];
  }
};

const isListening = (libc: Libc, fd: number): boolean => {
  const value = new Int32Array(1);
  const size = new Uint32Array([value.byteLength]);
  return libc.getsockopt(fd, socketLevel, acceptsConnections, ptr(value), ptr(size)) === 0 && value[0] === 1;
};

/** The port lies at the same place in addresses of both families; a socket in the file system has letters there. */
const portOf = (libc: Libc, fd: number): number | null => {
  const address = new DataView(new ArrayBuffer(128));
  const size = new Uint32Array([address.byteLength]);
  if (libc.getsockname(fd, ptr(new Uint8Array(address.buffer)), ptr(size)) !== 0) return null;
  return internetFamilies.includes(address.getUint16(0, true)) ? address.getUint16(2) : null;
};

const internetFamilies = [2, 10];
