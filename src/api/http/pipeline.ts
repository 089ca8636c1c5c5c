import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { isAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import { admit } from "#api/door/door.ts";
import { type Entrance, type Exchange, type Route, visitor } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import type { Traffic } from "#api/plugin-host/native/native-host.ts";
import { limits } from "#contract/limits.ts";
import { dryRunName, planTexts } from "#contract/plan.ts";
import { type AnswersOptions, after, createAnswers, tracedRecorder } from "./answers.ts";
import { checkBody, checkQuery, hasStrayBody } from "./body.ts";
import { createCallLimit } from "./call-limit.ts";
import { createClientFinder, createProxyWatch, createVisitorView } from "./client.ts";
import type { SessionSource, TokenSource } from "./credentials.ts";
import { createIdentify, judge, leniently, takeProof } from "./identity.ts";
import { createInspectedCall, createShaping } from "./inspected-call.ts";
import { plannedCall } from "./mount-operations.ts";
import { cookieName, createCorsRule, createForgeryTest } from "./origin.ts";
import type { PageServer } from "./pages/open-page.ts";
import { createSiteImages } from "./pages/site-images.ts";
import { noPlugins, type PluginEntrance } from "./plugin-entrance.ts";
import type { RouteTable } from "./route-table.ts";
import { apiHeaders } from "./security-headers.ts";
import {
  createBegin,
  createHostRule,
  createPageCall,
  isCanonicalPath,
  isUnderAnyName,
  isWayIn,
} from "./target.ts";

/** Answers any request. Never throws. */
export type Pipeline = (request: Request, entrance: Entrance) => Response | Promise<Response>;

export type PipelineOptions = Pick<AnswersOptions, "draining" | "observer"> & {
  services: Services;
  routes: RouteTable;
  /** What plugins add: routes and request rules. Nothing unless given. */
  plugins?: PluginEntrance;
  sessions: SessionSource;
  tokens: TokenSource;
  pages: PageServer;
  /** Elysia's own handler, for requests that passed the pipeline. */
  answer: (request: Request) => Response | Promise<Response>;
  /** Why writes would fail now, or `null`. */
  writeObstacle: () => AppError | null;
  /** Counts the requests of each client. */
  rateLimiter: RateLimiter;
  allowedHosts: string[];
  trustedProxies: string[];
  corsOrigins: string[];
};

/** The outcome before the session is read, if it is not a route: a refusal that can wait. */
type Refusal = () => Response | Promise<Response>;

/**
 * Decides everything that precedes a handler, once and in one place. docs/requests.md explains the order. Elysia gets only
 * requests that passed.
 */
export const createPipeline = (options: PipelineOptions): Pipeline => {
  const { services, sessions, tokens, rateLimiter, plugins = noPlugins, observer = null } = options;
  const { guard, traffic } = plugins;
  const headers = new Headers(apiHeaders(services.appUrl.startsWith("https:")));
  const isHttps = services.appUrl.startsWith("https:");
  const clients = createClientFinder(options.trustedProxies);
  const watch = createProxyWatch({ clock: services.clock, isProxy: clients.isProxy });
  const begin = createBegin({
    ...{ services, pages: options.pages, clients, watch, isHttps, standIn: options.routes.standIn },
    isOurHost: createHostRule(services.appUrl, options.allowedHosts),
  });
  const visitorOf = createVisitorView(watch, options.trustedProxies);
  const isForged = createForgeryTest(services.appUrl, options.corsOrigins, cookieName("sid", isHttps));
  const cors = createCorsRule(options.corsOrigins);
  const callLimit = createCallLimit({ rateLimiter, log: services.log });
  const identify = createIdentify({ sessions, tokens });
  const images = createSiteImages({
    ...{ objects: services.objects, log: services.log, isHttps },
    site: () => services.settings.current.site,
  });
  const answerPage = createPageCall(options.pages, images, identify);
  const { finish, refuse, stop, answerPreflight } = createAnswers({ ...options, cors, isHttps });
  const templateOf = ({ request, path }: Exchange): string | null =>
    findRoute(request.method, path)?.template ?? null;
  const facts = { traffic, countryOf: plugins.countryOf, templateOf };
  const inspect = createInspectedCall({ ...facts, clock: services.clock, identify, stop, refuse });
  const { reuse, shape } = createShaping(facts);

  /** Refuses a cross-site request, without touching the session of the user whose cookie it carries. */
  const refuseForged = async (exchange: Exchange): Promise<Response> => {
    const { token } = exchange.cookies.session;
    try {
      const session = token === null ? null : await sessions.find(token);
      if (session) exchange.actor = session.actor;
    } catch {
      // The user is looked up for the logs alone, so the refusal doesn't depend on the database.
    }
    return refuse(exchange, new AppError("CROSS_ORIGIN"));
  };

  const checkObstacle = ({ isForTokens, originClass }: Route): void => {
    // The route that is called through this one checks itself.
    if (isForTokens || originClass === "safe") return;
    const obstacle = options.writeObstacle();
    if (obstacle) throw obstacle;
  };

  const contextOf = (exchange: Exchange, isDryRun: boolean): Context => {
    const { requestId, ip, userAgent, actor } = exchange;
    return {
      ...services,
      activity: tracedRecorder(services.activity, exchange),
      actor,
      requestId,
      ip,
      userAgent,
      view: () => ({
        visitor: visitorOf(exchange),
        // The core's limit is counted in no database.
        limiterStore: rateLimiter.store === "redis" ? "redis" : "memory",
        isLimited: exchange.switches.limit !== null,
        corsOrigins: cors.origins,
      }),
      ...(isDryRun ? { isDryRun } : {}),
    };
  };

  const enter = async (exchange: Exchange, route: Route, sent: unknown): Promise<Response> => {
    const { cookies, trace } = exchange;
    if (route.answer !== null) return finish(exchange, await route.answer(exchange, sent, headers));
    const isDryRun = asksForPlan(exchange, route);
    const { request, body } = isDryRun
      ? plannedCall(exchange, route, { body: sent, routes: options.routes })
      : { request: exchange.request, body: sent };
    // A plan is never recorded in the activity log.
    if (isDryRun) trace.isRecorded = true;
    admit(request, { ...cookies, ctx: contextOf(exchange, isDryRun), body, trace });
    return finish(exchange, await options.answer(request));
  };

  /** Throws if the actor may not call the route, or hasn't proven what it requires; `body` once it was read. */
  const letIn = async (exchange: Exchange, route: Route, body?: unknown): Promise<void> => {
    if (!judge(exchange, route))
      await takeProof(contextOf(exchange, asksForPlan(exchange, route)), route, body);
  };

  const callRoute = async (exchange: Exchange, route: Route): Promise<Response> => {
    if (exchange.bearer !== null) await callLimit.countToken(exchange);
    if (guard.hasUserRules && exchange.entrance.via === "tcp") {
      const verdict = await guard.checkUser(exchange);
      if (verdict !== null && !isAdmin(exchange.actor)) return stop(exchange, verdict);
    }
    const kept = isBusy(traffic.shapers) && route.access === "public" ? reuse(exchange) : null;
    if (kept !== null) return finish(exchange, kept);
    await letIn(exchange, route);
    checkObstacle(route);
    checkQuery(exchange.search, { mayRepeat: route.plugin !== null, names: route.queryNames });
    if (route.mayTakeLong && exchange.entrance.via === "tcp") exchange.entrance.keepOpen?.();
    const arriving = checkBody(exchange.request, route);
    if (arriving === null) {
      if (route.takesPassword) await letIn(exchange, route, null);
      return enter(exchange, route, null);
    }
    const body = await arriving;
    // Seconds may have passed since the session was checked.
    if (exchange.actor.kind === "user" || exchange.actor.kind === "token") {
      exchange.at = services.clock.now();
      exchange.actor = visitor;
      await identify(exchange);
      await letIn(exchange, route, body);
    }
    return enter(exchange, route, body);
  };

  /** The application's own routes come first, so that no plugin can replace them. */
  const findRoute = (asked: string, path: string): ReturnType<RouteTable["find"]> => {
    const method = asked === "HEAD" ? "GET" : asked;
    if (!isCanonicalPath(path)) return null;
    return options.routes.find(method, path) ?? plugins.routes.find(method, path);
  };

  /** Finds the route of a request from the request alone. */
  const locate = (exchange: Exchange, path: string): Route | Refusal => {
    const { method, url } = exchange.request;
    const no = (kind: "MISDIRECTED_HOST" | "URI_TOO_LONG" | "BAD_REQUEST" | "NOT_FOUND") => () =>
      refuse(exchange, new AppError(kind));
    if (!exchange.isOurs && !isUnderAnyName(path)) return no("MISDIRECTED_HOST");
    if (url.length > limits.urlBytes) return no("URI_TOO_LONG");
    if (hasStrayBody(exchange.request)) return no("BAD_REQUEST");
    const route = findRoute(method, path);
    if (route === null) return no("NOT_FOUND");
    exchange.label = route.template;
    const isMissing = "allow" in route;
    const allow = isMissing ? { allow: route.allow.join(", ") } : {};
    if (isMissing || (method === "HEAD" && route.stateChange))
      return () => refuse(exchange, new AppError("METHOD_NOT_ALLOWED"), allow);
    exchange.route = route;
    if (exchange.entrance.via === "socket") return route;
    // Browsers never send a token automatically, and next to a token the cookie is ignored.
    const isBrowsers = exchange.bearer === null || route.isForTokens;
    if (isBrowsers && route.originClass !== "safe" && isForged(exchange, route))
      return () => refuseForged(exchange);
    exchange.failurePath = route.failurePath;
    return route;
  };

  const handleCall = async (exchange: Exchange, path: string): Promise<Response> => {
    const target = locate(exchange, path);
    // Health probes are not counted, have no session, and must work while the database is unavailable.
    const isPlain = exchange.entrance.via === "socket" || exchange.isProbe;
    if (typeof target === "function") {
      if (!isPlain) await callLimit.count(exchange, null);
      return target();
    }
    if (isPlain) return callRoute(exchange, target);
    if (!callLimit.dependsOnPerson(exchange, target)) {
      await callLimit.count(exchange, target);
      if (!target.isShared) await identify(exchange);
      return callRoute(exchange, target);
    }
    try {
      await identify(exchange);
    } finally {
      // While the database is unavailable, the caller is unknown, and counts.
      await callLimit.count(exchange, target);
    }
    return callRoute(exchange, target);
  };

  const handle = (exchange: Exchange, path: string): Response | Promise<Response> => {
    const { request, isCall, isOurs, switches } = exchange;
    // Probes are answered under any host name, and with a very short one Elysia would not find the path. Tokens are not
    // read there: they open nothing under a host name that is not served.
    if (!isOurs && isUnderAnyName(path)) {
      exchange.request = new Request(`http://localhost${path}`, { method: request.method });
      return handleCall(exchange, path);
    }
    if (
      request.method === "OPTIONS" &&
      isCall &&
      isOurs &&
      switches.corsEnabled &&
      cors.isPreflight(request)
    ) {
      const found = findRoute(request.method, path);
      if (found !== null && "allow" in found) return answerPreflight(exchange, found);
    }
    if (isCall) return handleCall(exchange, path);
    if (!isOurs) throw new AppError("MISDIRECTED_HOST");
    if (request.url.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
    if (hasStrayBody(request)) throw new AppError("BAD_REQUEST");
    return after(
      (isBusy(traffic.shapers) ? reuse(exchange) : null) ?? answerPage(exchange, path),
      (response) => finish(exchange, response),
    );
  };

  /** The same, after plugins have inspected the request. */
  const handleInspected = (exchange: Exchange): Response | Promise<Response> =>
    isBusy(traffic.inspectors)
      ? inspect(exchange, () => handle(exchange, exchange.path))
      : handle(exchange, exchange.path);

  const answer = (exchange: Exchange): Response | Promise<Response> => {
    const { path } = exchange;
    // Health probes always pass, and so does the operator, who may have to revert a rule.
    if (exchange.entrance.via === "socket" || exchange.isProbe) return handle(exchange, path);
    if (guard.isIdle) return handleInspected(exchange);
    return after(guard.check(exchange), (verdict) =>
      verdict === null || isWayIn(path, verdict) ? handleInspected(exchange) : stopOthers(exchange, verdict),
    );
  };

  /** Stops a request, except an admin's: no plugin rule may keep admins from reverting it. */
  const stopOthers = async (exchange: Exchange, verdict: Verdict): Promise<Response> => {
    if ("response" in verdict) return stop(exchange, verdict);
    await leniently(identify)(exchange);
    if (!isAdmin(exchange.actor)) return stop(exchange, verdict);
    exchange.trace.isRecorded = false;
    return handleInspected(exchange);
  };

  /** Never throws. */
  const answerAll = (exchange: Exchange): Response | Promise<Response> => {
    try {
      const response = answer(exchange);
      return response instanceof Promise ? response.catch((error) => refuse(exchange, error)) : response;
    } catch (error) {
      return refuse(exchange, error);
    }
  };

  return (request, entrance) => {
    const exchange = begin(request, entrance);
    const response =
      observer === null ? answerAll(exchange) : observer.around(exchange, () => answerAll(exchange));
    if (!isBusy(traffic.shapers) || entrance.via === "socket" || exchange.isProbe) return response;
    return after(response, (done) => shape(exchange, done));
  };
};

/** Whether a call asks for a plan. Throws a 422 for one that leaves open whether it does. */
const asksForPlan = ({ search }: Exchange, { planned, method, template }: Route): boolean => {
  if (planned === null) return false;
  if (planned.route.template !== template || planned.route.method !== method) return true;
  if (search === "") return false;
  // Decoded, as all others read the query: what is only looked for as it is written would be carried out.
  const value = new URLSearchParams(search).get(dryRunName);
  if (value !== null && value !== "true")
    throw validationError([{ path: dryRunName, message: planTexts.valueInvalid }]);
  return value === "true";
};

/** Whether any of them is to be called: otherwise, requests cost nothing there. */
const isBusy = (hooks: Traffic["inspectors"] | Traffic["shapers"]): boolean =>
  hooks.some(({ of }) => !of.isIdle);
