import { AppError } from "#api/core/app-error.ts";
import type { Actor, Services } from "#api/core/context.ts";
import type { StoredSession } from "#api/modules/sessions/index.ts";
import { limits } from "#contract/limits.ts";
import { logAccess } from "./access-log.ts";
import { checkAccess } from "./access-rule.ts";
import { checkBody } from "./body-rule.ts";
import { type CallCookies, cookieName, createCallCookies, hasSessionCookie } from "./call-cookies.ts";
import { isCanonicalPath, loggedPath, splitTarget } from "./canonical-path.ts";
import { createAddressResolver } from "./client-address.ts";
import { admit } from "./door.ts";
import { failureOf, toAppError } from "./errors.ts";
import { createHostRule } from "./host-rule.ts";
import { type CallTrace, noteCall, tracedDesk } from "./noted-call.ts";
import { createOriginRule, type OriginClass } from "./origin-rule.ts";
import type { PageServer } from "./page-server.ts";
import { isFileName } from "./pages/file-name.ts";
import { checkQuery } from "./query-rule.ts";
import type { Route, RouteTable } from "./route-table.ts";
import { apiHeaders } from "./security-headers.ts";
import type { SessionSource } from "./session-source.ts";

/**
 * Through which door a request came: the network, or the operator's own socket or process. `keepOpen` spares its
 * connection from being cut for silence.
 */
export type Entrance = { via: "tcp"; peer: string; keepOpen?: () => void } | { via: "socket" };

/** Answers a request, whatever it is; never throws. */
export type Pipeline = (request: Request, entrance: Entrance) => Response | Promise<Response>;

export type PipelineOptions = {
  services: Services;
  routes: RouteTable;
  sessions: SessionSource;
  pages: PageServer;
  /** Elysia's own entrance, behind everything that is decided here. */
  answer: (request: Request) => Response | Promise<Response>;
  /** Why writes would fail at this moment, or `null`. */
  writeObstacle: () => AppError | null;
  isDraining: () => boolean;
  allowedHosts: string[];
  trustedProxies: string[];
  corsOrigins: string[];
};

/** What is known of one request on its way; filled step by step. */
type Passage = {
  request: Request;
  entrance: Entrance;
  requestId: string;
  startedNs: number;
  ip: string;
  userAgent: string | null;
  /** The query as it came, empty or with its `?`. */
  search: string;
  /** Route template for the log; of unknown paths what cannot be a token. */
  label: string;
  actor: Actor;
  cookies: CallCookies;
  /** The route that was asked for, once it is known. */
  route: Route | null;
  trace: CallTrace;
  /** Where a failure sends the browser, once the route is known and the call may come from where it comes. */
  failurePath: string | null;
};

const visitor: Actor = { kind: "visitor" };
const operator: Actor = { kind: "operator" };
const safeMethods = new Set(["GET", "HEAD"]);
const probes = new Set(["/api/health", "/api/ready"]);

/**
 * Everything that is decided before a handler runs, once and in one place: host, identity, path, route, origin,
 * session, access, query and body. Elysia gets only requests that may go on.
 */
export const createPipeline = (options: PipelineOptions): Pipeline => {
  const { services, routes, sessions, pages, answer } = options;
  const isHttps = services.appUrl.startsWith("https:");
  const sessionCookie = cookieName("sid", isHttps);
  const isOurHost = createHostRule(services.appUrl, options.allowedHosts);
  const addressOf = createAddressResolver(options.trustedProxies);
  const mayComeFrom = createOriginRule(services.appUrl, options.corsOrigins);
  const headers = apiHeaders(isHttps);

  const finish = (passage: Passage, response: Response): Response => {
    response.headers.set("x-request-id", passage.requestId);
    for (const cookie of passage.cookies.pending()) response.headers.append("set-cookie", cookie);
    // After 408 the rest of the body may go on dripping in for ever.
    if (options.isDraining() || response.status === 408) response.headers.set("connection", "close");
    logAccess(services.log, passage, response.status);
    noteCall(services, passage);
    return response;
  };

  const refuse = (passage: Passage, thrown: unknown, more: Record<string, string> = {}): Response => {
    const error = toAppError(thrown, "", passage.requestId, services.log);
    passage.trace.failure = error.kind;
    if (passage.failurePath !== null) return sendBack(passage, passage.failurePath, error);
    const failure = failureOf(error, passage.requestId);
    return finish(
      passage,
      Response.json(failure.body, {
        status: failure.status,
        headers: { ...headers, ...failure.headers, ...more },
      }),
    );
  };

  const sendBack = (passage: Passage, location: string, { kind }: AppError): Response => {
    const { requestId, label } = passage;
    services.log.warn("a browser was sent back", { requestId, route: label, reason: kind });
    const answer = Response.json({ location }, { status: 302, headers: { ...headers, location } });
    return finish(passage, answer);
  };

  const isForged = ({ request }: Passage, route: Route): boolean => {
    const kind = originClassOf(request.method, route);
    if (kind === "safe") return false;
    const get = (name: string) => request.headers.get(name);
    const from = { origin: get("origin"), fetchSite: get("sec-fetch-site"), purpose: get("sec-purpose") };
    return !mayComeFrom(kind, from, hasSessionCookie(get("cookie"), sessionCookie));
  };

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
    if (originClassOf(request.method, route) === "safe") return;
    const obstacle = options.writeObstacle();
    if (obstacle) throw obstacle;
  };

  const enter = (passage: Passage, body: unknown): Response | Promise<Response> => {
    const { request, requestId, ip, userAgent, actor, cookies, trace } = passage;
    const { session, device, oauth } = cookies;
    admit(request, {
      ctx: {
        ...services,
        activity: tracedDesk(services.activity, passage),
        actor,
        requestId,
        ip,
        userAgent,
      },
      session,
      device,
      oauth,
      body,
      trace,
    });
    const response = answer(request);
    if (response instanceof Promise) return response.then((done) => finish(passage, done));
    return finish(passage, response);
  };

  const callRoute = (passage: Passage, route: Route): Response | Promise<Response> => {
    checkAccess(passage.actor, route.access);
    checkObstacle(passage, route);
    checkQuery(passage.search);
    if (route.mayTakeLong && passage.entrance.via === "tcp") passage.entrance.keepOpen?.();
    const { request } = passage;
    const arriving = safeMethods.has(request.method) ? null : checkBody(request, route.bodyCheck);
    if (arriving === null) return enter(passage, null);
    return arriving.then(
      (body) => reconsider(passage, route, body),
      (error) => refuse(passage, error),
    );
  };

  /** Lets a call with its body in: seconds may have passed since its session was looked at. */
  const reconsider = (passage: Passage, route: Route, body: unknown): Response | Promise<Response> => {
    if (passage.actor.kind !== "user") return enter(passage, body);
    passage.actor = visitor;
    const goOn = () => {
      checkAccess(passage.actor, route.access);
      return enter(passage, body);
    };
    try {
      const identified = identify(passage);
      if (!(identified instanceof Promise)) return goOn();
      return identified.then(goOn).catch((error) => refuse(passage, error));
    } catch (error) {
      return refuse(passage, error);
    }
  };

  /** Puts the actor of the cookie's session into the passage; a promise only when the database must be asked. */
  const identify = (passage: Passage): void | Promise<void> => {
    const { token } = passage.cookies.session;
    if (token === null) return;
    const take = (session: Awaited<ReturnType<SessionSource["find"]>>) => {
      if (!session) return;
      passage.actor = actorOf(session);
      if (sessions.touch(session)) passage.cookies.session.set(token);
    };
    const found = sessions.find(token);
    return found instanceof Promise ? found.then(take) : take(found);
  };

  const handleCall = (passage: Passage, path: string, isSocket: boolean): Response | Promise<Response> => {
    const method = passage.request.method;
    const route = routes.find(method === "HEAD" ? "GET" : method, path);
    if (route === null) throw new AppError("NOT_FOUND");
    passage.label = route.template;
    if ("allow" in route)
      return refuse(passage, new AppError("METHOD_NOT_ALLOWED"), { allow: route.allow.join(", ") });
    passage.route = route;
    if (method === "HEAD" && route.stateChange) throw new AppError("METHOD_NOT_ALLOWED");
    if (isSocket) return callRoute(passage, route);
    if (isForged(passage, route)) return refuseForged(passage);
    passage.failurePath = route.failurePath;
    const identified = identify(passage);
    if (!(identified instanceof Promise)) return callRoute(passage, route);
    return identified.then(() => callRoute(passage, route)).catch((error) => refuse(passage, error));
  };

  const handlePage = (passage: Passage, path: string): Response | Promise<Response> => {
    const { request, search } = passage;
    const respond = (isKnown: boolean) => {
      const user = passage.actor.kind === "user" ? passage.actor.user : null;
      const response = pages.respond({
        method: request.method,
        path,
        search,
        headers: request.headers,
        user,
        isKnown,
      });
      return finish(passage, response);
    };
    const identified = isFileName(path) ? undefined : identify(passage);
    if (!(identified instanceof Promise)) return respond(true);
    // A page never waits long for the database: without an answer, the browser asks again by itself.
    const deadline = Bun.sleep(pageDeadlineMs).then(() => false);
    return Promise.race([identified.then(() => true), deadline])
      .catch(() => false)
      .then(respond);
  };

  return (request, entrance) => {
    const { path, search } = splitTarget(request.url);
    const isCall = path === "/api" || path.startsWith("/api/");
    const isSocket = entrance.via === "socket";
    const userAgent = request.headers.get("user-agent");
    const passage: Passage = {
      request,
      entrance,
      requestId: crypto.randomUUID(),
      startedNs: Bun.nanoseconds(),
      ip: isSocket ? "local" : addressOf(entrance.peer, request.headers.get("x-forwarded-for")),
      userAgent,
      search,
      label: loggedPath(path),
      actor: isSocket ? operator : visitor,
      cookies: createCallCookies(isSocket ? null : request.headers.get("cookie"), isHttps),
      route: null,
      trace: { failure: null, isRecorded: false },
      failurePath: null,
    };
    try {
      const isOurs = isSocket || isOurHost(request.headers.get("host"));
      if (!isOurs && !probes.has(path)) throw new AppError("MISDIRECTED_HOST");
      // Probes are answered under any name, and behind a very short one Elysia would not find the path.
      if (!isOurs) passage.request = new Request(`http://localhost${path}`, { method: request.method });
      if (request.url.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
      if (isCall && !isCanonicalPath(path)) throw new AppError("NOT_FOUND");
      return isCall ? handleCall(passage, path, isSocket) : handlePage(passage, path);
    } catch (error) {
      return refuse(passage, error);
    }
  };
};

const pageDeadlineMs = 2_000;

const actorOf = ({ user, tokenHash }: StoredSession): Actor => ({
  kind: "user",
  user,
  sessionHash: tokenHash,
});

const originClassOf = (method: string, route: Route): OriginClass => {
  if (!safeMethods.has(method)) return "unsafe";
  return route.stateChange ? `get-${route.stateChange}` : "safe";
};
