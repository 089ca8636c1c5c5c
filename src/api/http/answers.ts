import type { Metrics } from "#api/adapters/metrics/create-metrics.ts";
import type { ActivityEntry, ActivityFact, ActivityRecorder } from "#api/core/activity.ts";
import { apiTokenShaped } from "#api/core/actor.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { Actor, Services } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import type { OpenSpan, Tracer } from "#api/core/tracer.ts";
import type { Exchange, Route, TokenFault } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { type ErrorKind, errorStatus } from "#contract/errors.ts";
import { shippedPluginNames } from "#contract/plugin-names.ts";
import { faultText } from "./credentials.ts";
import { failureOf, toAppError } from "./errors.ts";
import type { CorsRule } from "./origin.ts";
import { apiHeaders, removeHardening } from "./security-headers.ts";

/** Sends every response, wherever it was made. */
export type Answers = {
  /** Adds the common headers and records the request. */
  finish(exchange: Exchange, response: Response): Response;
  /**
   * Responds with a failure; `more` are additional headers. Redirects browsers where the route has a `failurePath`, unless the
   * path leads nowhere.
   */
  refuse(exchange: Exchange, thrown: unknown, more?: Record<string, string>): Response;
  /** Responds that a plugin stopped the request; `x-atrium-block` is the id to look up in the log. */
  stop(exchange: Exchange, verdict: Verdict): Response;
  /** Answers a CORS preflight for pages of a listed origin. */
  answerPreflight(exchange: Exchange, path: { template: string; allow: string[] }): Response;
};

export type AnswersOptions = {
  services: Services;
  cors: CorsRule;
  isHttps: boolean;
  /** Aborted once the server is about to stop. */
  draining: AbortSignal;
  /** `null` without metrics and traces. */
  observer?: CallObserver | null;
};

/** Creates them for one installation. */
export const createAnswers = ({
  services,
  cors,
  isHttps,
  draining,
  observer = null,
}: AnswersOptions): Answers => {
  const headers = apiHeaders(isHttps);

  const finish = (exchange: Exchange, response: Response): Response => {
    const { switches, limitHeaders } = exchange;
    const sent = response.headers;
    sent.set("x-request-id", exchange.requestId);
    for (const cookie of exchange.cookies.toSend()) {
      sent.append("set-cookie", cookie);
      // A plugin's response may be cached, but not with a user's session cookie.
      if (exchange.route?.plugin) sent.set("cache-control", "no-store");
    }
    if (limitHeaders !== null) {
      sent.set("RateLimit", limitHeaders.RateLimit);
      sent.set("RateLimit-Policy", limitHeaders["RateLimit-Policy"]);
    }
    // A response under a host name that isn't ours never gets CORS headers.
    if (exchange.isCall && exchange.isOurs && switches.corsEnabled) cors.mark(exchange.request, sent);
    if (!switches.helmetEnabled) removeHardening(sent);
    // After a 408, the rest of the body may keep trickling in forever.
    if (draining.aborted || response.status === 408) sent.set("connection", "close");
    logAccess(services.log, exchange, response.status);
    recordCall(services, exchange, response.status);
    observer?.answered(exchange, response.status);
    return response;
  };

  const sendBack = (exchange: Exchange, location: string, { kind }: AppError): Response => {
    const { requestId, label } = exchange;
    services.log.warn("a browser was sent back", { requestId, route: label, reason: kind });
    return finish(exchange, Response.json({ location }, { status: 302, headers: { ...headers, location } }));
  };

  const refuse: Answers["refuse"] = (exchange, thrown, more = {}) => {
    const error = toAppError(thrown, "", exchange.requestId, services.log);
    exchange.trace.failure = error.kind;
    const challenge = exchange.bearer?.challenge ?? challengeOf(exchange, error);
    const wanted = challenge === null ? {} : { "www-authenticate": challenge };
    if (exchange.failurePath !== null && exchange.bearer === null && error.kind !== "NOT_FOUND")
      return sendBack(exchange, exchange.failurePath, error);
    const { status, body, headers: own } = failureOf(error, exchange.requestId);
    return finish(
      exchange,
      Response.json(body, { status, headers: { ...headers, ...own, ...wanted, ...more } }),
    );
  };

  return {
    finish,
    refuse,
    stop: (exchange, verdict) => {
      const mark = { "x-atrium-block": exchange.requestId };
      if ("response" in verdict) return finish(exchange, hardened(verdict.response, { ...headers, ...mark }));
      const { refusal } = verdict;
      if (exchange.isCall) return refuse(exchange, refusal, mark);
      const { status, headers: own } = failureOf(refusal, exchange.requestId);
      exchange.trace.failure = refusal.kind;
      const page = blockedPage(refusal.message, exchange.requestId);
      const type = { "content-type": "text/html; charset=utf-8" };
      return finish(
        exchange,
        new Response(page, { status, headers: { ...headers, ...own, ...mark, ...type } }),
      );
    },
    answerPreflight: (exchange, { template, allow }) => {
      exchange.label = template;
      return finish(exchange, cors.answerPreflight(allow, headers));
    },
  };
};

/** What a handler returned, as far as a response is made of it. */
type Returned = { response: unknown; set: { status?: number | string; headers: Record<string, unknown> } };

/** Makes responses of what handlers return: an own one keeps the headers that it sets, everything else is sent as JSON. */
export const createResponseMap = (isHttps: () => boolean) => {
  // Made once: to copy headers costs a third of what it costs to make them from ten strings.
  let made: Headers | null = null;
  return ({ response, set }: Returned): Response => {
    made ??= new Headers(apiHeaders(isHttps()));
    if (response instanceof Response) {
      for (const [name, value] of made) if (!response.headers.has(name)) response.headers.set(name, value);
      return response;
    }
    const answer = Response.json(response, { status: Number(set.status ?? 200), headers: made });
    for (const [name, value] of Object.entries(set.headers)) answer.headers.set(name, String(value));
    return answer;
  };
};

/** The challenge where only tokens may call. Source: RFC 9110 §11.6.1. */
const challengeOf = ({ route }: Exchange, { kind }: AppError): string | null =>
  kind === "NOT_SIGNED_IN" && route?.isForTokens === true ? "Bearer" : null;

/** A copy of a response, with the headers that it does not set itself. */
const hardened = (response: Response, headers: Record<string, string>): Response => {
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers))
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  return copy;
};

/** The page that a blocked visitor sees instead of an envelope. */
const blockedPage = (message: string, id: string): string =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${Bun.escapeHTML(message)}</title><h1>${Bun.escapeHTML(message)}</h1><p>Id: ${id}</p></html>`,
  ].join("");

/** Continues synchronously where there is nothing to wait for: most requests need no promise. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** What the activity log needs of an answered request: never its path, query, cookies or body. */
export type AnsweredCall = Pick<
  Exchange,
  "route" | "isCall" | "trace" | "actor" | "requestId" | "ip" | "userAgent" | "startedNs"
> & {
  /** The session cookie as sent, even if the session has ended. */
  cookies: { session: { token: string | null } };
  /** The request's API token, and what is wrong with it. */
  bearer: { readonly fault: TokenFault | null } | null;
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
type LoggedRequest = Pick<
  Exchange,
  "request" | "requestId" | "label" | "startedNs" | "ip" | "actor" | "userAgent"
>;

/** Writes the line of an answered request: `debug` for health probes and files, `info` for the rest. */
const logAccess = (log: Log, logged: LoggedRequest, status: number): void => {
  const { request, requestId, label, startedNs, ip, actor, userAgent } = logged;
  const write = isNoise(label) ? log.debug : log.info;
  write("request", {
    requestId,
    method: request.method,
    route: label,
    status,
    ms: Math.round((Bun.nanoseconds() - startedNs) / 10_000) / 100,
    ip,
    user: loggedName(actor),
    userAgent: userAgent === null ? null : loggable(userAgent),
  });
};

const loggedName = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.id;
  return actor.kind === "token" ? `token ${actor.token.id}` : actor.kind;
};

// Scripts that put a token there don't expect it in a log.
const loggable = (userAgent: string): string =>
  userAgent.slice(0, 200).replace(apiTokenShaped, "[removed]").replace(terminalControls, "");

// JSON escapes the other control characters.
const terminalControls = /[\u007f-\u009f]/g;

const quiet = new Set(["/api/health", "/api/ready", "/api/metrics"]);

const isNoise = (route: string): boolean => quiet.has(route) || /^\/(?!api\/).*\.\w+$/.test(route);
