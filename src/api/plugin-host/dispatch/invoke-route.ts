import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { type PermissionName, pluginLimits } from "#contract/plugins.ts";
import type { Json, PluginRequest } from "#plugins/sdk/types.ts";
import { faultText, InvocationError, type LivePlugin } from "../runtime.ts";
import type { CompiledRoute } from "./compile-routes.ts";

/** Adds a line to a plugin's log. */
export type LogLine = (plugin: string, level: "error" | "warn", message: string) => void;

/** Counts that a plugin used a permission. */
export type CountUse = (plugin: string, permission: PermissionName) => void;

const permissionOf = { admin: "routes", user: "routes.user", public: "routes.public" } as const;

type Invocation = {
  live: LivePlugin;
  route: CompiledRoute;
  log: LogLine;
  breaker: RouteBreaker;
  used: CountUse;
  /** A network address, or another plugin. */
  caller: string;
};

/**
 * Calls a plugin's handler. Rejects with `PLUGIN_ERROR` if it throws or returns something that can't be sent, and with
 * `PLUGIN_UNAVAILABLE` if the plugin is not running, too busy or too slow, the route is paused, or `caller` has its
 * share of running calls; the reason is only in its log.
 */
export const invokeRoute = async (
  { live, route, log, breaker, used, caller }: Invocation,
  request: PluginRequest,
): Promise<Outcome> => {
  const { name, title } = live.manifest;
  const { method, path, handler, access } = route.registered;
  const where = `${method} ${path}`;
  const { exceeded, leave } = breaker.enter(name, where, caller);
  try {
    used(name, permissionOf[access]);
    return readOutcome(await live.runtime.invoke(handler, asJson(request)));
  } catch (cause) {
    const kind = cause instanceof InvocationError ? cause.kind : "threw";
    const reason = faultText(name, cause);
    if (kind !== "unavailable") log(name, kind === "too-many" ? "warn" : "error", `${where}: ${reason}`);
    if (kind === "threw" || kind === "too-large")
      throw new AppError("PLUGIN_ERROR", `${title} failed to respond`, { cause });
    if (kind === "timeout" || kind === "crashed") exceeded(reason);
    throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1, cause });
  } finally {
    leave();
  }
};

/**
 * Prevents callers from blocking a plugin for others. Each gets a share of its concurrent calls. A route that keeps
 * exceeding its limits is paused automatically: for the caller that causes it, or for all if several do.
 */
export type RouteBreaker = {
  /**
   * Begins a call. `caller` is a network address or another plugin. Throws `PLUGIN_UNAVAILABLE` while the route is
   * paused, and if the caller has its share of running calls.
   */
  enter(plugin: string, where: string, caller: string): Entered;
  /** The plugin is disabled: its counts are dropped. */
  forget(plugin: string): void;
};

/** A running call: whether it exceeded its limits, and that it is over. */
type Entered = { exceeded(reason: string): void; leave(): void };

/** For a process with a single caller: pauses nothing. */
export const noBreaker: RouteBreaker = {
  enter: () => ({ exceeded: () => {}, leave: () => {} }),
  forget: () => {},
};

export type RouteBreakerOptions = {
  clock: Clock;
  log: LogLine;
  /** A route is paused for the first time in a while. */
  paused(plugin: string, description: string): void;
};

type Strikes = { count: number; lastAtMs: number; opensAtMs: number };
/** Counts of a route, and of each of its callers; `struckAtMs` is when any of them last had a strike. */
type RouteStrikes = { all: Strikes; callers: Map<string, Strikes>; struckAtMs: number; toldAtMs: number };
type PluginCalls = { routes: Map<string, RouteStrikes>; underWay: Map<string, number> };

const {
  callsAtOnceOfOne,
  failuresAllowed,
  failuresWindowMs: windowMs,
  routePauseMs,
  routePauseMostMs,
} = pluginLimits;

/**
 * A few failures within a minute are tolerated; each further one pauses the route for twice as long as the one before,
 * from a second to a minute. A caller's failures pause it for that caller. It is paused for all by failures of
 * different callers, each of which counts once until it has had none for a minute: no one can do that alone.
 */
export const createRouteBreaker = ({ clock, log, paused }: RouteBreakerOptions): RouteBreaker => {
  const plugins = new Map<string, PluginCalls>();

  type Call = { plugin: string; where: string; caller: string; beganAtMs: number };

  const strike = ({ plugin, where, caller, beganAtMs }: Call, reason: string) => {
    const nowMs = clock.uptimeMs();
    const { routes } = callsOf(plugin);
    const route = routes.get(where) ?? { ...noneOfRoute, callers: new Map<string, Strikes>() };
    routes.set(where, route);
    const { callers } = route;
    const before = callers.get(caller) ?? noStrikes;
    // One strike, and one pause, for all running calls: one process's end may have ended them together.
    if (beganAtMs < Math.max(route.struckAtMs, before.opensAtMs, route.all.opensAtMs)) return;
    route.struckAtMs = nowMs;
    for (const [other, strikes] of callers) if (isOld(strikes, nowMs)) callers.delete(other);
    const own = oneMore(before, nowMs);
    callers.set(caller, own);
    if (own.count === 1) route.all = oneMore(route.all, nowMs);
    for (const [{ opensAtMs }, whom] of [
      [own, "for one caller"],
      [own.count === 1 ? route.all : noStrikes, "for all callers"],
    ] as const)
      if (opensAtMs > nowMs)
        log(plugin, "warn", `${where} is paused for ${(opensAtMs - nowMs) / 1000} s ${whom}`);
    const times = Math.max(own.count, route.all.count);
    if (times <= failuresAllowed || nowMs - route.toldAtMs < windowMs) return;
    route.toldAtMs = nowMs;
    paused(plugin, `${where} exceeded its limits ${times} times within a minute. Last error: ${reason}`);
  };

  const callsOf = (plugin: string): PluginCalls => {
    const known = plugins.get(plugin) ?? { routes: new Map(), underWay: new Map() };
    plugins.set(plugin, known);
    return known;
  };

  return {
    enter: (plugin, where, caller) => {
      const { routes, underWay } = callsOf(plugin);
      const beganAtMs = clock.uptimeMs();
      const route = routes.get(where);
      const opensAtMs = Math.max(route?.all.opensAtMs ?? 0, route?.callers.get(caller)?.opensAtMs ?? 0);
      if (opensAtMs > beganAtMs)
        throw new AppError("PLUGIN_UNAVAILABLE", undefined, {
          retryAfterS: Math.ceil((opensAtMs - beganAtMs) / 1000),
        });
      const mine = underWay.get(caller) ?? 0;
      if (mine >= callsAtOnceOfOne) {
        log(plugin, "warn", `${where}: one caller already has ${mine} running calls`);
        throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1 });
      }
      underWay.set(caller, mine + 1);
      return {
        exceeded: (reason) => strike({ plugin, where, caller, beganAtMs }, reason),
        leave: () => {
          const left = (underWay.get(caller) ?? 1) - 1;
          if (left > 0) underWay.set(caller, left);
          else underWay.delete(caller);
        },
      };
    },
    forget: (plugin) => void plugins.delete(plugin),
  };
};

const oneMore = (strikes: Strikes, nowMs: number): Strikes => {
  const count = isOld(strikes, nowMs) ? 1 : strikes.count + 1;
  const beyond = count - failuresAllowed;
  const pauseMs = beyond < 1 ? 0 : Math.min(routePauseMostMs, routePauseMs * 2 ** (beyond - 1));
  return { count, lastAtMs: nowMs, opensAtMs: pauseMs === 0 ? strikes.opensAtMs : nowMs + pauseMs };
};

const isOld = ({ lastAtMs, opensAtMs }: Strikes, nowMs: number): boolean =>
  nowMs - Math.max(lastAtMs, opensAtMs) >= windowMs;

const never = Number.NEGATIVE_INFINITY;
const noStrikes: Strikes = { count: 0, lastAtMs: never, opensAtMs: never };
const noneOfRoute = { all: noStrikes, struckAtMs: never, toldAtMs: never };

/** A request only contains JSON; its type says more than that of JSON can. */
const asJson = (request: PluginRequest): Json => request as unknown as Json;

/** The checked result of a plugin's handler, ready to be sent. `isJson`: its body was given as JSON. */
export type Outcome = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | string | null;
  isJson: boolean;
};

type Fields = { [key: string]: Json };

const bodiless: readonly number[] = [204, 205];

/**
 * Reads what a handler returned: JSON, nothing (204), or its own response (`$response`). Throws an `Error` that tells
 * the plugin's author what is wrong.
 */
const readOutcome = (value: Json | undefined): Outcome => {
  if (value === undefined) return { status: 204, headers: {}, body: null, isJson: false };
  const own = isObject(value) ? value.$response : undefined;
  if (own === undefined) return { status: 200, headers: jsonHeaders, body: jsonText(value), isJson: true };
  if (!isObject(own)) throw new Error("The argument of ctx.respond must be an object");
  const status = readStatus(own.status);
  const { type, body } = readBody(own);
  if (body !== null && bodiless.includes(status))
    throw new Error(`An answer with status ${status} has no body`);
  const headers = { ...(type === null ? {} : { "content-type": type }), ...readHeaders(own.headers) };
  return { status, headers, body, isJson: own.json !== undefined };
};

const jsonHeaders = { "content-type": "application/json" };

const isObject = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readStatus = (status: Json | undefined): number => {
  if (status === undefined || status === null) return 200;
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus || status === 304)
    throw new Error("status must be a whole number from 200 to 599, except 304");
  return status;
};

const tooLarge = () => new Error(`An answer's body has at most ${pluginLimits.bodyBytes} bytes`);

const bounded = (text: string): string => {
  const { bodyBytes } = pluginLimits;
  // A character has at most three bytes per code unit.
  if (text.length * 3 > bodyBytes && Buffer.byteLength(text) > bodyBytes) throw tooLarge();
  return text;
};

const jsonText = (value: Json): string => bounded(JSON.stringify(value));

type Body = { type: string | null; body: Uint8Array | string | null };

const readBody = ({ json, text, base64 }: Fields): Body => {
  const given = [json, text, base64].filter((value) => value !== undefined);
  if (given.length > 1) throw new Error("An answer has at most one of json, text and base64");
  if (json !== undefined) return { type: "application/json", body: jsonText(json) };
  if (text !== undefined) {
    if (typeof text !== "string") throw new Error("text must be a text");
    return { type: "text/plain; charset=utf-8", body: bounded(text) };
  }
  if (base64 === undefined) return { type: null, body: null };
  if (typeof base64 !== "string") throw new Error("base64 must be a text");
  if (base64.length > pluginLimits.bodyBytes * 1.4) throw tooLarge();
  const body = Buffer.from(base64, "base64");
  if (body.toString("base64").replace(/=+$/, "") !== base64.replace(/=+$/, ""))
    throw new Error("base64 is not encoded according to RFC 4648");
  if (body.byteLength > pluginLimits.bodyBytes) throw tooLarge();
  return { type: "application/octet-stream", body };
};

const mostHeaders = 50;
const longestHeader = 2_000;
// Proxies and browsers also obey unknown headers: only these are sent.
const allowed =
  /^(?:content-(?:type|language|disposition)|cache-control|etag|last-modified|retry-after|x-total-count|x-plugin-[a-z0-9-]{1,60})$/;

const readHeaders = (given: Json | undefined): Record<string, string> => {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new Error("headers must be an object of texts");
  const headers: Record<string, string> = {};
  const entries = Object.entries(given);
  if (entries.length > mostHeaders) throw new Error(`An answer has at most ${mostHeaders} headers`);
  for (const [written, value] of entries) {
    const name = written.toLowerCase();
    if (!allowed.test(name)) throw new Error(`An answer cannot have the header ${name.slice(0, 60)}`);
    if (typeof value !== "string" || value.length > longestHeader || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new Error(`The header ${name} must be a text of at most ${longestHeader} characters in one line`);
    headers[name] = value;
  }
  checkType(headers["content-type"]);
  return headers;
};

const checkType = (type: string | undefined): void => {
  if (type === undefined) return;
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;[^\r\n]*)?$/.test(type))
    throw new Error("content-type must be a media type");
  // A page's policy allows scripts of this origin: only files of packages may be scripts.
  if (/^[^;]*(?:javascript|ecmascript|jscript|livescript)/i.test(type))
    throw new Error("A response can't be a script: scripts belong in the package");
};
