import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { Json, PluginRequest } from "#plugins/sdk/types.ts";
import { faultText } from "../fault-text.ts";
import type { LivePlugin } from "../live-plugin.ts";
import { InvocationError } from "../runtime.ts";
import type { CompiledRoute } from "./compile-routes.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";

/** Adds a line to a plugin's log. */
export type LogLine = (plugin: string, level: "error" | "warn", message: string) => void;

/**
 * Has a plugin answer a call. Rejects with `PLUGIN_ERROR` when it throws or answers with something that cannot be sent,
 * and with `PLUGIN_UNAVAILABLE` when it is not there, too busy or too slow, or the route is paused; why is for its log
 * alone.
 */
export const invokeRoute = async (
  {
    live,
    route,
    log,
    breaker,
  }: { live: LivePlugin; route: CompiledRoute; log: LogLine; breaker: RouteBreaker },
  request: PluginRequest,
): Promise<Outcome> => {
  const { name, title } = live.manifest;
  const { method, path, handler } = route.registered;
  const where = `${method} ${path}`;
  const exceeded = breaker.enter(name, where);
  try {
    return readOutcome(await live.runtime.invoke(handler, asJson(request)));
  } catch (cause) {
    const kind = cause instanceof InvocationError ? cause.kind : "threw";
    const reason = faultText(name, cause);
    if (kind !== "unavailable") log(name, kind === "too-many" ? "warn" : "error", `${where}: ${reason}`);
    if (kind === "threw" || kind === "too-large")
      throw new AppError("PLUGIN_ERROR", `${title} failed to answer`, { cause });
    if (kind === "timeout" || kind === "crashed") exceeded(reason);
    throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: 1, cause });
  }
};

/** Pauses routes that keep exceeding their limits, each by itself: whoever calls one keeps nobody from the others. */
export type RouteBreaker = {
  /**
   * Begins a call; the function that comes back is told when it exceeded its limits. Throws `PLUGIN_UNAVAILABLE` while the
   * route is paused.
   */
  enter(plugin: string, where: string): (reason: string) => void;
  /** The plugin is off: what was counted of it is forgotten. */
  forget(plugin: string): void;
};

/** For where nobody else calls: pauses nothing. */
export const noBreaker: RouteBreaker = { enter: () => () => {}, forget: () => {} };

export type RouteBreakerOptions = {
  clock: Clock;
  log: LogLine;
  /** A route is paused for the first time in a while. */
  paused(plugin: string, description: string): void;
};

type Strikes = { count: number; lastAtMs: number; opensAtMs: number };

/**
 * A few failures within a minute pass; each one after that pauses the route for twice as long as the one before, from a
 * second to a minute.
 */
export const createRouteBreaker = ({ clock, log, paused }: RouteBreakerOptions): RouteBreaker => {
  const plugins = new Map<string, Map<string, Strikes>>();

  const strike = (
    plugin: string,
    where: string,
    { beganAtMs, reason }: { beganAtMs: number; reason: string },
  ) => {
    const nowMs = clock.uptimeMs();
    const routes = plugins.get(plugin) ?? new Map<string, Strikes>();
    plugins.set(plugin, routes);
    const { count, lastAtMs, opensAtMs } = routes.get(where) ?? noStrikes;
    // One strike, and one pause, for all that were under way: they may have ended together, by one process's end.
    if (beganAtMs < Math.max(lastAtMs, opensAtMs)) return;
    const isOld = nowMs - Math.max(lastAtMs, opensAtMs) >= pluginLimits.failuresWindowMs;
    const next = isOld ? 1 : count + 1;
    const beyond = next - pluginLimits.failuresAllowed;
    const { routePauseMs, routePauseMostMs } = pluginLimits;
    const pauseMs = beyond < 1 ? 0 : Math.min(routePauseMostMs, routePauseMs * 2 ** (beyond - 1));
    routes.set(where, {
      count: next,
      lastAtMs: nowMs,
      opensAtMs: pauseMs === 0 ? opensAtMs : nowMs + pauseMs,
    });
    if (pauseMs === 0) return;
    log(plugin, "warn", `${where} is paused for ${pauseMs / 1000} s`);
    if (beyond === 1)
      paused(plugin, `${where} exceeded its limits ${next} times within a minute. The last time: ${reason}`);
  };

  return {
    enter: (plugin, where) => {
      const beganAtMs = clock.uptimeMs();
      const restMs = (plugins.get(plugin)?.get(where)?.opensAtMs ?? beganAtMs) - beganAtMs;
      if (restMs > 0)
        throw new AppError("PLUGIN_UNAVAILABLE", undefined, { retryAfterS: Math.ceil(restMs / 1000) });
      return (reason) => strike(plugin, where, { beganAtMs, reason });
    },
    forget: (plugin) => void plugins.delete(plugin),
  };
};

const noStrikes: Strikes = {
  count: 0,
  lastAtMs: Number.NEGATIVE_INFINITY,
  opensAtMs: Number.NEGATIVE_INFINITY,
};

/** A request holds nothing but JSON; its type says more than that of JSON can. */
const asJson = (request: PluginRequest): Json => request as unknown as Json;
