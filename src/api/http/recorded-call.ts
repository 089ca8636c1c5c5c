import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import type { ActivityEntry, ActivityFact, ActivityRecorder } from "#api/core/activity.ts";
import { apiTokenShaped, idOfActor } from "#api/core/actor.ts";
import type { Actor, Services } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import type { OpenSpan, Tracer } from "#api/core/tracer.ts";
import type { CallTrace, Exchange, Route, TokenFault } from "#api/door/exchange.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import { shippedPluginNames } from "#contract/plugin-names.ts";
import { faultText } from "./credentials.ts";

/** What the activity log needs of an answered request: never its path, query, cookies or body. */
export type AnsweredCall = {
  /** `null` for an unknown path. */
  route: Route | null;
  /** Whether it is for the API; otherwise it is for a page or a file. */
  isCall: boolean;
  trace: CallTrace;
  actor: Actor;
  /** The session cookie as sent, even if the session has ended. */
  cookies: { session: { token: string | null } };
  /** The request's API token, and what is wrong with it. */
  bearer: { readonly fault: TokenFault | null } | null;
  requestId: string;
  ip: string;
  userAgent: string | null;
  startedNs: number;
};

/**
 * A recorder for one request: each fact marks the request as recorded, and gets the time since the request started as its
 * duration unless it has its own.
 */
export const tracedRecorder = (
  recorder: ActivityRecorder,
  { trace, startedNs }: Pick<AnsweredCall, "trace" | "startedNs">,
): ActivityRecorder => {
  const traced = ({ entry, ...fact }: ActivityFact): ActivityFact => {
    trace.isRecorded = true;
    return { ...fact, entry: { durationMs: msSince(startedNs), ...entry } };
  };
  return {
    ...recorder,
    record: (tx, fact) => recorder.record(tx, traced(fact)),
    note: (fact) => recorder.note(traced(fact)),
  };
};

const msSince = (startedNs: number): number => Math.round((Bun.nanoseconds() - startedNs) / 1_000_000);

/**
 * Records HTTP traffic in the activity log: missing permissions, cross-site requests, exceeded limits, server failures, and
 * changes by identified callers, unless the handler has recorded the request itself. Reads are not recorded, apart from
 * failed attempts of API tokens; reads of plugin routes that are not only for admins are counted, but not the routine ones
 * of shipped plugins. Data downloads record themselves. `status` is the response's: a plugin's own refusal is a failure.
 */
export const recordCall = (
  { activity, clock }: Pick<Services, "activity" | "clock">,
  answered: AnsweredCall,
  status: number,
): void => {
  const { called } = answered.trace;
  const call = called === undefined ? answered : { ...answered, route: called };
  const entry = entryOf(call, status);
  if (entry === null) return;
  const { route, actor, requestId, ip, userAgent, startedNs } = call;
  const plugin = route?.plugin ?? null;
  const isOnePersons =
    plugin === null || call.trace.failure !== null || actor.kind === "token" || isKnownChange(call);
  activity.note({
    entry: { ...entry, ...(plugin === null ? {} : { pluginName: plugin }), durationMs: msSince(startedNs) },
    // Visitors' reads of a plugin are counted together: a row for each visitor would be a flood.
    source: isOnePersons
      ? { actor, requestId, ip, userAgent }
      : { actor: { kind: actor.kind }, requestId: null, ip: null, userAgent: null },
    at: clock.now(),
  });
};

const isKnownChange = ({ route, actor }: Pick<AnsweredCall, "route" | "actor">): boolean =>
  route !== null &&
  route.originClass !== "safe" &&
  (actor.kind === "user" || actor.kind === "token" || actor.kind === "operator");

const entryOf = (
  { route, isCall, trace, actor, cookies, bearer }: AnsweredCall,
  status: number,
): ActivityEntry | null => {
  if (trace.isRecorded && !isFault(trace.failure)) return null;
  if (route === null) return isCall && trace.failure !== null ? failureEntry(null, trace.failure) : null;
  // An open page keeps sending requests after its session has ended, which is harmless. A made-up cookie looks the same,
  // so it counts as a refusal.
  if (trace.failure === "NOT_SIGNED_IN" && cookies.session.token !== null && isForAdmins(route))
    return {
      type: "permission_violation",
      status: "failure",
      severity: "low",
      action: `Called ${nameOf(route)} with a session that is not valid`,
      description: answeredWith(route, trace.failure),
    };
  const fault = bearer?.fault ?? null;
  if (trace.failure === "NOT_SIGNED_IN" && fault !== null)
    return {
      type: "permission_violation",
      status: "failure",
      severity: "medium",
      action: `Called ${nameOf(route)} with an API token that is not valid`,
      description: `${answeredWith(route, trace.failure)}: ${faultText(fault)}`,
    };
  const failed = trace.failure === null ? null : failureEntry(route, trace.failure);
  if (failed !== null) return failed;
  if (actor.kind === "token")
    return route.originClass !== "safe" || trace.failure !== null || status >= 400
      ? usedEntry(route, trace.failure, status)
      : null;
  if (trace.failure !== null) return null;
  if (isRoutine({ route, actor })) return null;
  // Admins' changes are recorded in their transactions; if nothing was recorded, nothing changed.
  if (route.plugin === null && (!isKnownChange({ route, actor }) || isForAdmins(route))) return null;
  // An open admin page of a plugin polls.
  if (route.plugin !== null && isForAdmins(route) && route.originClass === "safe") return null;
  const entry = { type: "api_call", action: route.summary, description: nameOf(route) } as const;
  return status < 400 ? entry : { ...entry, status: "failure" };
};

/** What every page view triggers: the footer's license, page speed measurements. */
const isRoutine = ({ route, actor }: { route: Route; actor: Actor }): boolean =>
  route.plugin !== null && shippedPluginNames.includes(route.plugin) && !isKnownChange({ route, actor });

/** The use of a token, successful or not. */
const usedEntry = (route: Route, failure: ErrorKind | null, status: number): ActivityEntry => {
  const entry = { type: "api_call", action: route.summary } as const;
  if (failure !== null) return { ...entry, description: answeredWith(route, failure), status: "failure" };
  return { ...entry, description: nameOf(route), ...(status < 400 ? {} : { status: "failure" as const }) };
};

const failureEntry = (route: Route | null, kind: ErrorKind): ActivityEntry | null => {
  const status = errorStatus[kind];
  const answered = answeredWith(route, kind);
  const refused = { type: "permission_violation", status: "failure", description: answered } as const;
  if (kind === "FORBIDDEN")
    return { ...refused, severity: "medium", action: `Called ${nameOf(route)} without permission` };
  if (kind === "NOT_SIGNED_IN") {
    // Every browser checks once whether it is signed in; only on admin routes does that mean something.
    if (route === null || !isForAdmins(route)) return null;
    return { ...refused, severity: "medium", action: `Called ${nameOf(route)} without signing in` };
  }
  if (kind === "CROSS_ORIGIN")
    return { ...refused, severity: "high", action: `Called ${nameOf(route)} from another site` };
  if (kind === "RATE_LIMITED")
    return {
      type: "suspicious_activity",
      status: "warning",
      severity: "medium",
      action: `Called ${nameOf(route)} too often`,
      description: answered,
    };
  if (status < 500 || kind === "SHUTTING_DOWN") return null;
  return {
    type: route?.template === "/api/ready" ? "health_check_failed" : "api_call",
    status: "failure",
    severity: passing.has(kind) ? "medium" : "high",
    action: route?.summary ?? `Call ${nameOf(null)}`,
    description: answered,
  };
};

/** Failures that are not the program's fault: they pass, or a plugin needs a fix. */
const passing: ReadonlySet<ErrorKind> = new Set([
  "BUSY",
  "DB_UNAVAILABLE",
  "PROVIDER_UNAVAILABLE",
  "PLUGIN_ERROR",
  "PLUGIN_UNAVAILABLE",
]);

// What was recorded before the fault may have been rolled back with everything else.
const isFault = (failure: ErrorKind | null): boolean => failure !== null && errorStatus[failure] >= 500;

const isForAdmins = ({ access }: Route): boolean => access === "admin" || access === "operator";

const answeredWith = (route: Route | null, kind: ErrorKind): string =>
  `${nameOf(route)} was answered with ${errorStatus[kind]} ${kind}`;

// Paths from strangers don't belong in the log, and would turn each request of a flood into a row.
const nameOf = (route: Route | null): string =>
  route === null ? "an unknown path" : `${route.method} ${route.template}`;

/** Observes requests for metrics and traces. Never throws. */
export type CallObserver = {
  /** Answers a request with `work`, within one trace. */
  around<T>(exchange: Exchange, work: () => T): T;
  /** The head of the response is ready. */
  answered(exchange: Exchange, status: number): void;
};

type CallObserverOptions = { metrics: Pick<Metrics, "count"> | null; tracer: Tracer | null };

/** `null` without metrics and traces. */
export const createCallObserver = ({ metrics, tracer }: CallObserverOptions): CallObserver | null => {
  if (metrics === null && tracer === null) return null;
  const spans = new WeakMap<Exchange, OpenSpan>();
  return {
    around: (exchange, work) => {
      if (tracer === null) return work();
      const { request } = exchange;
      // Clients could invent any number of names.
      const start = {
        name: "request",
        kind: "server",
        traceparent: request.headers.get("traceparent"),
      } as const;
      return tracer.run(start, (span) => {
        spans.set(exchange, span);
        return work();
      });
    },
    answered: (exchange, status) => {
      const { startedNs, request } = exchange;
      const route = routeLabel(exchange);
      const seconds = (Bun.nanoseconds() - startedNs) / 1_000_000_000;
      metrics?.count({ method: request.method, route, status, seconds });
      const span = tracer === null ? undefined : spans.get(exchange);
      if (span === undefined) return;
      spans.delete(exchange);
      span.rename(`${request.method.slice(0, 20)} ${route}`);
      span.note({
        "http.request.method": request.method.slice(0, 20),
        "http.route": route,
        "http.response.status_code": status,
        "atrium.request_id": exchange.requestId,
      });
      span.end(status >= 500 ? (exchange.trace.failure ?? "failed") : undefined);
    },
  };
};

/** A route's template; of everything else only the kind, because clients choose paths, which may hold tokens. */
const routeLabel = ({ route, isCall, path }: Exchange): string => {
  if (route !== null) return route.template;
  if (isCall) return "unknown";
  return path.startsWith("/assets/") ? "file" : "page";
};

/** A request as the log sees it. `label` is the route's template, never the path with its tokens. */
type LoggedRequest = {
  request: Request;
  requestId: string;
  label: string;
  startedNs: number;
  ip: string;
  actor: Actor;
  userAgent: string | null;
};

/** Writes the line of an answered request: `debug` for health probes and files, `info` for the rest. */
export const logAccess = (log: Log, logged: LoggedRequest, status: number): void => {
  const { request, requestId, label, startedNs, ip, actor, userAgent } = logged;
  const write = isNoise(label) ? log.debug : log.info;
  write("request", {
    requestId,
    method: request.method,
    route: label,
    status,
    ms: Math.round((Bun.nanoseconds() - startedNs) / 10_000) / 100,
    ip,
    user: actor.kind === "token" ? `token ${actor.token.id}` : idOfActor(actor),
    userAgent: userAgent === null ? null : loggable(userAgent),
  });
};

// Scripts that put a token there don't expect it in a log.
const loggable = (userAgent: string): string =>
  userAgent.slice(0, 200).replace(apiTokenShaped, "[removed]").replace(terminalControls, "");

// JSON escapes the other control characters.
const terminalControls = /[\u007f-\u009f]/g;

const quiet = new Set(["/api/health", "/api/ready", "/api/metrics"]);

const isNoise = (route: string): boolean => quiet.has(route) || /^\/(?!api\/).*\.\w+$/.test(route);
