import type { ArrivingRequest, NativeHost, RateDecision } from "#plugins/sdk/native-types.ts";
import type { Compiled, CompiledRate } from "../change/in-force.ts";
import { networkOf, siteOf } from "../rules/range.ts";
import { texts } from "../texts.ts";
import type { Reason, Role } from "../wire.ts";
import { reasonOf } from "./judge.ts";
import { isFirewallPage, isWayIn, signInPaths } from "./way-in.ts";

/** Who makes a request, once that is known. */
export type Caller = { role: Role; id: string | null };

/** Whoever says nothing of themselves. */
export const visitor: Caller = { role: "visitor", id: null };

/** A limit that is used up. */
export type Limited = { reason: Reason; retryAfterS: number; message: string; isBan: boolean };

/** What counting came to. */
export type RateVerdict = { limited: Limited | null; noticed: Reason[]; headers: Record<string, string> };

/**
 * Something that is counted: a rule of admins, or the core's limit (`rule` is `null`). Callers read nothing of a site's
 * budget (`isSite`) before it is used up.
 */
type Counted = {
  key: string;
  windowMs: number;
  max: number;
  rule: CompiledRate | null;
  isSite?: boolean;
};

/** As the core counts it: an IPv6 /48 has ten times as much as one caller. */
const siteTimes = 10;

type RateFacts = {
  request: Pick<ArrivingRequest, "method" | "path" | "route" | "ip" | "isCall">;
  kind: RouteKind;
  caller: Caller;
};

const longestPathInKey = 64;
/** The longest window of a rule about sign-in. */
export const mostSignInMs = 60 * 60 * 1_000;

/** Whether it must be known who makes a request before it can be said whether a rule counts it, and how. */
export const ruleNeedsPerson = (rule: CompiledRate, path: string): boolean =>
  rule.roleSet.size < 3 || rule.key === "user" || isFirewallPage(path);

/** Whether the same is so for the core's limit. */
export const coreNeedsPerson = ({ isAdminOnly }: RouteKind): boolean => isAdminOnly;

/** What a rule counts a request under; `null` where it is not about it. */
const countedBy = (rule: CompiledRate, { request, caller }: RateFacts): Counted | null => {
  const { method, path, route, ip, isCall } = request;
  if (rule.method !== "*" && rule.method !== method) return null;
  if (!rule.roleSet.has(caller.role) || !rule.test(path)) return null;
  if (caller.role === "admin" && isFirewallPage(path)) return null;
  if (isWayIn(path) && !mayCountWayIn(rule)) return null;
  const { windowMs, max, id } = rule;
  // Paths of requests to no route are one: whoever invents ever new ones would get a count for each.
  const counted = route ?? (isCall ? "" : path);
  return { key: `${id}\n${keyOf(rule.key, { ip, caller, path: counted })}`, windowMs, max, rule };
};

// A rule for much else must not shut admins out of sign-in; one that says sign-in does so for an hour at most.
const mayCountWayIn = ({ path, windowMs, action }: CompiledRate): boolean =>
  action === "log" || (signInPaths.includes(path) && windowMs <= mostSignInMs);

const keyOf = (
  key: CompiledRate["key"],
  { ip, caller, path }: { ip: string; caller: Caller; path: string },
): string => {
  const network = networkOf(ip);
  if (key === "user") return caller.id === null ? network : `user ${caller.id}`;
  return key === "ip" ? network : `${network} ${path.slice(0, longestPathInKey)}`;
};

/**
 * What the core's limit counts a request under; `null` where it leaves it out. Left out are plugins' calls and what admins
 * call that only admins may, each by its switch; never sign-in and the like, nor who is no admin where only admins may be.
 */
const countedByCore = (
  { request, kind, caller }: RateFacts,
  limit: ReturnType<NativeHost["coreLimit"]>,
): Counted | null => {
  if (!request.isCall) return null;
  const isStranger = kind.isAdminOnly && caller.role !== "admin";
  if (kind.isPlugin && limit.skipPluginRoutes && !isStranger) return null;
  if (kind.isAdminOnly && !kind.isPlugin && limit.skipAdminRoutes && !isStranger) return null;
  return {
    key: `core\n${networkOf(request.ip)}`,
    windowMs: limit.windowMs,
    max: limit.maxRequests,
    rule: null,
  };
};

type JudgeRates = {
  takeRate: NativeHost["takeRate"];
  /** What a refused caller of the core's limit reads. */
  coreMessage: string;
  counted: readonly Counted[];
  /** A limit could not be asked: it lets the request go on. */
  failed(error: unknown): void;
};

/** Counts a request under everything that it counts for, until one is used up; at once where nothing has to be waited for. */
export const judgeRates = (options: JudgeRates): RateVerdict | Promise<RateVerdict> => {
  const verdict: RateVerdict = { limited: null, noticed: [], headers: {} };
  const goOn = (from: number): RateVerdict | Promise<RateVerdict> => {
    for (let at = from; at < options.counted.length; at += 1) {
      const counted = options.counted[at];
      if (counted === undefined) break;
      const decision = take(options, counted);
      if (decision instanceof Promise)
        return decision.then((made) => (apply(verdict, counted, made, options) ? verdict : goOn(at + 1)));
      if (apply(verdict, counted, decision, options)) return verdict;
    }
    return verdict;
  };
  return goOn(0);
};

const take = (
  { takeRate, failed }: JudgeRates,
  { key, windowMs, max }: Counted,
): RateDecision | null | Promise<RateDecision | null> => {
  const letPass = (error: unknown): null => {
    failed(error);
    return null;
  };
  try {
    const decision = takeRate(key, { windowMs, max });
    return decision instanceof Promise ? decision.catch(letPass) : decision;
  } catch (error) {
    return letPass(error);
  }
};

/** Takes down what a counter said; `true` ends the asking. */
const apply = (
  verdict: RateVerdict,
  counted: Counted,
  decision: RateDecision | null,
  { coreMessage }: JudgeRates,
): boolean => {
  if (decision === null) return false;
  const { rule, max, windowMs } = counted;
  if (rule === null && !(counted.isSite && decision.isAllowed))
    Object.assign(verdict.headers, limitHeadersOf(counted, decision));
  if (decision.isAllowed) return false;
  const title = rule === null ? "core limit" : `rule "${rule.title}"`;
  const reason = reasonOf(
    "rate",
    rule?.id ?? "core",
    `More than ${max} requests in ${Math.ceil(windowMs / 1_000)} s (${title})`,
  );
  if (rule?.action === "log") {
    verdict.noticed.push(reason);
    return false;
  }
  verdict.limited = {
    reason,
    retryAfterS: Math.max(1, Math.ceil(decision.resetMs / 1_000)),
    message: rule === null ? coreMessage : texts.tooMany,
    isBan: rule?.action === "ban",
  };
  return true;
};

/** As the core tells it: the draft "RateLimit header fields for HTTP". Seconds are rounded up. */
const limitHeadersOf = (
  { max, windowMs }: Counted,
  { remaining, resetMs }: RateDecision,
): Record<string, string> => ({
  "RateLimit-Policy": `"core";q=${max};w=${Math.ceil(windowMs / 1_000)}`,
  RateLimit: `"core";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
});

/** What counts a request among the rules in force; `wants` picks those whose turn it is. */
export const countersOf = (
  compiled: Compiled,
  facts: RateFacts,
  {
    limit,
    wants,
  }: { limit: ReturnType<NativeHost["coreLimit"]> | null; wants: (rule: CompiledRate | null) => boolean },
): Counted[] => {
  const counted: Counted[] = [];
  if (limit !== null && wants(null)) {
    const core = countedByCore(facts, limit);
    if (core !== null) {
      const site = siteOf(facts.request.ip);
      counted.push(core);
      if (site !== null)
        counted.push({ ...core, key: `core\n${site}`, max: core.max * siteTimes, isSite: true });
    }
  }
  for (const rule of compiled.rates) {
    const own = wants(rule) ? countedBy(rule, facts) : null;
    if (own !== null) counted.push(own);
  }
  return counted;
};

/** What a call leads to, as far as limits ask: what only admins may call, what is a plugin's, or anything else. */
export type RouteKind = { isAdminOnly: boolean; isPlugin: boolean };

const other: RouteKind = { isAdminOnly: false, isPlugin: false };
const refreshMs = 1_000;

/** Tells the kinds of routes; those of plugins come and go, so that what is not known is looked up again, once a second. */
export const createRouteKinds = (host: Pick<NativeHost, "routes">, now: () => number) => {
  let kinds = new Map<string, RouteKind>();
  let readAt = Number.NEGATIVE_INFINITY;

  const read = (): void => {
    readAt = now();
    kinds = new Map(
      host.routes().map(({ method, path, access, plugin }) => [
        `${method} ${path}`,
        {
          isAdminOnly: access === "admin" || access === "operator",
          isPlugin: plugin !== null || /^\/api\/plugin(?:s|-host)(?:\/|$)/.test(path),
        },
      ]),
    );
  };

  return ({ method, route }: Pick<ArrivingRequest, "method" | "route">): RouteKind => {
    if (route === null) return other;
    const key = `${method === "HEAD" ? "GET" : method} ${route}`;
    if (!kinds.has(key) && now() - readAt >= refreshMs) read();
    return kinds.get(key) ?? other;
  };
};

const sessionCookie = /(?:^|;\s*)(?:__Host-)?sid=/;

/** Whether a request says who makes it; whether that is true, a look-up has to tell. */
export const hasCredentials = (headers: Headers): boolean =>
  headers.has("authorization") || sessionCookie.test(headers.get("cookie") ?? "");
