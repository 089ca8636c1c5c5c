import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { isAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context, Services } from "#api/core/context.ts";
import { admit } from "#api/door/door.ts";
import type { Route } from "#api/door/passage.ts";
import { type Entrance, type Passage, visitor } from "#api/door/passage.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { limits } from "#contract/limits.ts";
import { type AnswersOptions, after, createAnswers } from "./answers.ts";
import { createBegin } from "./begin-passage.ts";
import { checkBody, hasStrayBody } from "./body.ts";
import { cookieName } from "./call-cookies.ts";
import { createCallLimit } from "./call-limit.ts";
import { createClientFinder, createProxyWatch, createVisitorView } from "./client.ts";
import type { SessionSource, TokenSource } from "./credentials.ts";
import { createForgeryTest, isChange, isSafeMethod } from "./forged-call.ts";
import {
  actorOf,
  checkAccess,
  checkProof,
  checkQuery,
  checkScope,
  createIdentify,
  isForTokens,
  leniently,
} from "./identity.ts";
import { createInspectedCall } from "./inspected-call.ts";
import { tracedRecorder } from "./noted-call.ts";
import { createCorsRule } from "./origin.ts";
import type { PageServer } from "./page-server.ts";
import { asksForPlan, plannedCall } from "./plan-routes.ts";
import { noPlugins, type PluginEntrance } from "./plugin-entrance.ts";
import type { RouteTable } from "./route-table.ts";
import { apiHeaders } from "./security-headers.ts";
import { createShaping } from "./shaped-answer.ts";
import {
  createHostRule,
  createPageCall,
  isCanonicalPath,
  isProbe,
  isUnderAnyName,
  isWayIn,
  readTarget,
} from "./target.ts";

/** Answers a request, whatever it is; never throws. */
export type Pipeline = (request: Request, entrance: Entrance) => Response | Promise<Response>;

export type PipelineOptions = Pick<AnswersOptions, "isDraining" | "observer"> & {
  services: Services;
  routes: RouteTable;
  /** What plugins add: routes, and rules for requests; nothing unless given. */
  plugins?: PluginEntrance;
  sessions: SessionSource;
  tokens: TokenSource;
  pages: PageServer;
  /** Elysia's own entrance, behind everything that is decided here. */
  answer: (request: Request) => Response | Promise<Response>;
  /** Why writes would fail at this moment, or `null`. */
  writeObstacle: () => AppError | null;
  /** Counts calls of each client. */
  rateLimiter: RateLimiter;
  allowedHosts: string[];
  trustedProxies: string[];
  corsOrigins: string[];
};

/** What a call comes to before anybody is asked for their session, when that is no route: a refusal that can wait. */
type Refusal = () => Response | Promise<Response>;

/**
 * Everything that is decided before a handler runs, once and in one place, in the order that docs/requests.md gives
 * the reasons for. Elysia gets only requests that may go on.
 */
export const createPipeline = (options: PipelineOptions): Pipeline => {
  const { services, sessions, tokens, rateLimiter, plugins = noPlugins, observer = null } = options;
  const { guard, traffic } = plugins;
  const headers = new Headers(apiHeaders(services.appUrl.startsWith("https:")));
  const isHttps = services.appUrl.startsWith("https:");
  const isOurHost = createHostRule(services.appUrl, options.allowedHosts);
  const clients = createClientFinder(options.trustedProxies);
  const watch = createProxyWatch({ clock: services.clock, isProxy: clients.isProxy });
  const begin = createBegin({ services, clients, watch, isOurHost, isHttps });
  const visitorOf = createVisitorView(watch, options.trustedProxies);
  const isForged = createForgeryTest(services.appUrl, options.corsOrigins, cookieName("sid", isHttps));
  const cors = createCorsRule(options.corsOrigins);
  const callLimit = createCallLimit({ rateLimiter, log: services.log });
  const identify = createIdentify(sessions, tokens);
  const answerPage = createPageCall(options.pages, identify);
  const { finish, refuse, stop, answerPreflight } = createAnswers({ ...options, cors, isHttps });
  const templateOf = ({ request, path }: Passage): string | null =>
    (isCanonicalPath(path) ? findRoute(request.method === "HEAD" ? "GET" : request.method, path) : null)
      ?.template ?? null;
  const arrival = { traffic, countryOf: plugins.countryOf, templateOf };
  const inspect = createInspectedCall({ ...arrival, identify, stop, refuse });
  const { reuse, shape } = createShaping(arrival);

  /** Refuses a call that another site made, in the name of whom the cookie belongs to: nothing of theirs is touched. */
  const refuseForged = async (passage: Passage): Promise<Response> => {
    const { token } = passage.cookies.session;
    try {
      const session = token === null ? null : await sessions.find(token);
      if (session) passage.actor = actorOf(session);
    } catch {
      // Who it was is for the logs alone; the refusal does not wait for a database that is away.
    }
    return refuse(passage, new AppError("CROSS_ORIGIN"));
  };

  const checkObstacle = ({ request }: Passage, route: Route): void => {
    // What is called through such a route asks by itself.
    if (isForTokens(route) || !isChange(request.method, route)) return;
    const obstacle = options.writeObstacle();
    if (obstacle) throw obstacle;
  };

  const contextOf = (passage: Passage, isDryRun: boolean): Context => {
    const { requestId, ip, userAgent, actor } = passage;
    return {
      ...services,
      activity: tracedRecorder(services.activity, passage),
      actor,
      requestId,
      ip,
      userAgent,
      view: () => ({
        visitor: visitorOf(passage),
        limiterStore: rateLimiter.store,
        corsOrigins: cors.origins,
      }),
      ...(isDryRun ? { isDryRun } : {}),
    };
  };

  /** Whether a call may go on as far as its proof is concerned; `body` once it was read. */
  const prove = (passage: Passage, route: Route, body?: unknown): void | Promise<void> =>
    route.proof === "none"
      ? undefined
      : checkProof(contextOf(passage, asksForPlan(passage, route)), route, body);

  const enter = (passage: Passage, sent: unknown): Response | Promise<Response> => {
    const { route, cookies, trace } = passage;
    const { session, device, oauth, pending } = cookies;
    if (route !== null && route.answer !== null)
      return after(route.answer(passage, sent, headers), (done) => finish(passage, done));
    const isDryRun = route !== null && asksForPlan(passage, route);
    const { request, body } = isDryRun
      ? plannedCall(passage, route, { body: sent, routes: options.routes })
      : { request: passage.request, body: sent };
    // A plan leaves no row in the activity log, whoever asks for it.
    if (isDryRun) trace.isRecorded = true;
    admit(request, {
      ctx: contextOf(passage, isDryRun),
      session,
      device,
      oauth,
      pending,
      body,
      trace,
    });
    const response = options.answer(request);
    if (response instanceof Promise) return response.then((done) => finish(passage, done));
    return finish(passage, response);
  };

  const callRoute = (passage: Passage, route: Route): Response | Promise<Response> =>
    passage.bearer === null
      ? callCounted(passage, route)
      : after(callLimit.countToken(passage), () => callCounted(passage, route));

  const callCounted = (passage: Passage, route: Route): Response | Promise<Response> => {
    if (guard.hasUserRules && passage.entrance.via === "tcp")
      return after(guard.checkUser(passage), (verdict) =>
        verdict === null || isAdmin(passage.actor) ? callChecked(passage, route) : stop(passage, verdict),
      );
    return callChecked(passage, route);
  };

  const callChecked = (passage: Passage, route: Route): Response | Promise<Response> => {
    const kept = traffic.isShaped && route.access === "public" ? reuse(passage) : null;
    if (kept !== null) return finish(passage, kept);
    letIn(passage, route);
    const proven = prove(passage, route);
    return proven === undefined ? callProven(passage, route) : proven.then(() => callProven(passage, route));
  };

  const callProven = (passage: Passage, route: Route): Response | Promise<Response> => {
    checkObstacle(passage, route);
    checkQuery(passage.search, { mayRepeat: route.plugin !== null, names: route.queryNames });
    if (route.mayTakeLong && passage.entrance.via === "tcp") passage.entrance.keepOpen?.();
    const { request } = passage;
    const arriving = isSafeMethod(request.method) ? null : checkBody(request, route);
    return arriving === null
      ? after(prove(passage, route, null), () => enter(passage, null))
      : arriving.then((body) => reconsider(passage, route, body));
  };

  /** Lets a call with its body in: seconds may have passed since its session was looked at. */
  const reconsider = (passage: Passage, route: Route, body: unknown): Response | Promise<Response> => {
    if (passage.actor.kind !== "user" && passage.actor.kind !== "token") return enter(passage, body);
    passage.actor = visitor;
    return after(identify(passage), () => {
      letIn(passage, route);
      return after(prove(passage, route, body), () => enter(passage, body));
    });
  };

  /** The application's own routes come first: no plugin stands in their way. */
  const findRoute = (method: string, path: string): ReturnType<RouteTable["find"]> =>
    options.routes.find(method, path) ?? plugins.routes.find(method, path);

  /** Where a call leads, by what can be seen of it without asking anybody. */
  const locate = (passage: Passage, path: string): Route | Refusal => {
    const { method, url } = passage.request;
    const no = (kind: "MISDIRECTED_HOST" | "URI_TOO_LONG" | "BAD_REQUEST" | "NOT_FOUND") => () =>
      refuse(passage, new AppError(kind));
    if (!passage.isOurs && !isUnderAnyName(path)) return no("MISDIRECTED_HOST");
    if (url.length > limits.urlBytes) return no("URI_TOO_LONG");
    if (hasStrayBody(passage.request)) return no("BAD_REQUEST");
    const route = isCanonicalPath(path) ? findRoute(method === "HEAD" ? "GET" : method, path) : null;
    if (route === null) return no("NOT_FOUND");
    passage.label = route.template;
    const isMissing = "allow" in route;
    const allow = isMissing ? { allow: route.allow.join(", ") } : {};
    if (isMissing || (method === "HEAD" && route.stateChange))
      return () => refuse(passage, new AppError("METHOD_NOT_ALLOWED"), allow);
    passage.route = route;
    if (passage.entrance.via === "socket") return route;
    // No browser sends a token by itself, and beside one the cookie counts for nothing.
    if ((passage.bearer === null || isForTokens(route)) && isForged(passage, route))
      return () => refuseForged(passage);
    passage.failurePath = route.failurePath;
    return route;
  };

  const countAndCall = (passage: Passage, route: Route): Response | Promise<Response> =>
    after(callLimit.count(passage, route), () => callRoute(passage, route));

  const handleCall = (passage: Passage, path: string): Response | Promise<Response> => {
    const target = locate(passage, path);
    if (passage.entrance.via === "socket")
      return typeof target === "function" ? target() : callRoute(passage, target);
    const isOpen = isProbe(path);
    if (typeof target === "function")
      return isOpen ? target() : after(callLimit.count(passage, null), target);
    // Who watches the process is nobody's session, and asks while the database is away, too.
    if (isOpen) return callRoute(passage, target);
    const call = () =>
      target.isShared
        ? callRoute(passage, target)
        : after(identify(passage), () => callRoute(passage, target));
    if (!callLimit.dependsOnPerson(passage, target)) return after(callLimit.count(passage, target), call);
    const identified = identify(passage);
    if (!(identified instanceof Promise)) return countAndCall(passage, target);
    return identified.then(
      () => countAndCall(passage, target),
      // Somebody unknown, as long as the database cannot say: they count.
      (error) => after(callLimit.count(passage, target), () => refuse(passage, error)),
    );
  };

  const handle = (passage: Passage, path: string): Response | Promise<Response> => {
    const { request, isCall, isOurs, switches } = passage;
    // Probes are answered under any name, and behind a very short one Elysia would not find the path. A token is not
    // looked at there: it opens nothing under a name that is not served.
    if (!isOurs && isUnderAnyName(path)) {
      passage.request = new Request(`http://localhost${path}`, { method: request.method });
      return handleCall(passage, path);
    }
    if (isCall && isOurs && switches.corsEnabled && cors.isPreflight(request)) {
      const found = isCanonicalPath(path) ? findRoute(request.method, path) : null;
      if (found !== null && "allow" in found) return answerPreflight(passage, found);
    }
    if (isCall) return handleCall(passage, path);
    if (!isOurs) throw new AppError("MISDIRECTED_HOST");
    if (request.url.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
    if (hasStrayBody(request)) throw new AppError("BAD_REQUEST");
    return after((traffic.isShaped ? reuse(passage) : null) ?? answerPage(passage, path), (response) =>
      finish(passage, response),
    );
  };

  /** The same, after the plugins that look at requests. */
  const handleInspected = (passage: Passage): Response | Promise<Response> =>
    traffic.isWatched ? inspect(passage, () => handle(passage, passage.path)) : handle(passage, passage.path);

  const answer = (passage: Passage): Response | Promise<Response> => {
    const { path } = passage;
    // Whoever watches the process, and the operator, who may have to take a rule back, get in always.
    if (passage.entrance.via === "socket" || isProbe(path)) return handle(passage, path);
    if (guard.isIdle) return handleInspected(passage);
    return after(guard.check(passage), (verdict) =>
      verdict === null || isWayIn(path, verdict) ? handleInspected(passage) : stopOthers(passage, verdict),
    );
  };

  /** Stops a request, unless it is an administrator's: no rule of a plugin keeps them from taking it back. */
  const stopOthers = (passage: Passage, verdict: Verdict): Response | Promise<Response> => {
    if ("response" in verdict) return stop(passage, verdict);
    return after(leniently(identify)(passage), () => {
      if (!isAdmin(passage.actor)) return stop(passage, verdict);
      passage.trace.isRecorded = false;
      return handleInspected(passage);
    });
  };

  /** Never throws. */
  const answerAll = (passage: Passage): Response | Promise<Response> => {
    try {
      const response = answer(passage);
      return response instanceof Promise ? response.catch((error) => refuse(passage, error)) : response;
    } catch (error) {
      return refuse(passage, error);
    }
  };

  return (request, entrance) => {
    const { told, path, search } = readTarget(request, options.routes.standIn);
    const passage = begin(told, entrance, path, search);
    const response =
      observer === null ? answerAll(passage) : observer.around(passage, () => answerAll(passage));
    if (!traffic.isShaped || entrance.via === "socket" || isProbe(path)) return response;
    return after(response, (done) => shape(passage, done));
  };
};

/** Throws what stands against whoever acts at a route. */
const letIn = (passage: Passage, route: Route): void => {
  checkAccess(passage.actor, route.access);
  checkScope(passage, route);
};
