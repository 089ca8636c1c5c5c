import { AppError } from "#api/core/app-error.ts";
import type { Actor, Services } from "#api/core/context.ts";
import { limits } from "#contract/limits.ts";
import { logAccess } from "./access-log.ts";
import { checkBody } from "./body-rule.ts";
import { isCanonicalPath, splitTarget } from "./canonical-path.ts";
import { createAddressResolver } from "./client-address.ts";
import { type Access, admit } from "./door.ts";
import { failureOf, toAppError } from "./errors.ts";
import { createHostRule } from "./host-rule.ts";
import { createOriginRule, type OriginClass } from "./origin-rule.ts";
import type { PageServer } from "./page-server.ts";
import type { Route, RouteTable } from "./route-table.ts";
import { apiHeaders } from "./security-headers.ts";
import { CallSession, hasSessionCookie, readSessionToken, sessionCookieName } from "./session-cookie.ts";
import type { SessionSource } from "./session-source.ts";

/** Through which door a request came: the network, or the operator's own socket or process. */
export type Entrance = { via: "tcp"; peer: string } | { via: "socket" };

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
  requestId: string;
  startedNs: number;
  ip: string;
  userAgent: string | null;
  /** Route template for the log; unknown paths are cut. */
  label: string;
  actor: Actor;
  session: CallSession;
};

const visitor: Actor = { kind: "visitor" };
const operator: Actor = { kind: "operator" };
const safeMethods = new Set(["GET", "HEAD"]);
const probes = new Set(["/api/health", "/api/ready"]);

/**
 * Everything that is decided before a handler runs, once and in one place: host, identity, path, route, session,
 * origin, access, body. Elysia gets only requests that may go on.
 */
export const createPipeline = (options: PipelineOptions): Pipeline => {
  const { services, routes, sessions, pages, answer } = options;
  const isHttps = services.appUrl.startsWith("https:");
  const cookieName = sessionCookieName(isHttps);
  const isOurHost = createHostRule(services.appUrl, options.allowedHosts);
  const addressOf = createAddressResolver(options.trustedProxies);
  const mayComeFrom = createOriginRule(services.appUrl, options.corsOrigins);
  const headers = apiHeaders(isHttps);

  const finish = (passage: Passage, response: Response): Response => {
    const { session, request, label, actor, ...rest } = passage;
    if (session.pending !== null) response.headers.append("set-cookie", session.pending);
    if (options.isDraining()) response.headers.set("connection", "close");
    logAccess(services.log, {
      ...rest,
      method: request.method,
      route: label,
      status: response.status,
      actor,
    });
    return response;
  };

  const refuse = (passage: Passage, thrown: unknown, more: Record<string, string> = {}): Response => {
    const error = toAppError(thrown, "", passage.requestId, services.log);
    const failure = failureOf(error, passage.requestId);
    return finish(
      passage,
      Response.json(failure.body, {
        status: failure.status,
        headers: { ...headers, "x-request-id": passage.requestId, ...failure.headers, ...more },
      }),
    );
  };

  const checkOrigin = ({ request }: Passage, route: Route): void => {
    const kind = originClassOf(request.method, route);
    if (kind === "safe") return;
    const get = (name: string) => request.headers.get(name);
    const from = { origin: get("origin"), fetchSite: get("sec-fetch-site"), purpose: get("sec-purpose") };
    if (!mayComeFrom(kind, from, hasSessionCookie(get("cookie"), cookieName)))
      throw new AppError("CROSS_ORIGIN");
    const obstacle = options.writeObstacle();
    if (obstacle) throw obstacle;
  };

  const enter = (passage: Passage, request: Request): Response | Promise<Response> => {
    const { requestId, ip, userAgent, actor, session } = passage;
    admit(request, { ctx: { ...services, actor, requestId, ip, userAgent }, session });
    const response = answer(request);
    if (response instanceof Promise) return response.then((done) => finish(passage, done));
    return finish(passage, response);
  };

  const callRoute = (passage: Passage, route: Route): Response | Promise<Response> => {
    checkAccess(passage.actor, route.access);
    const { request } = passage;
    const checked = safeMethods.has(request.method) ? request : checkBody(request, route.hasBody);
    if (!(checked instanceof Promise)) return enter(passage, checked);
    return checked.then(
      (ready) => enter(passage, ready),
      (error) => refuse(passage, error),
    );
  };

  /** Puts the actor of the cookie's session into the passage; a promise only when the database must be asked. */
  const identify = (passage: Passage): void | Promise<void> => {
    const { token } = passage.session;
    if (token === null) return;
    const take = (session: Awaited<ReturnType<SessionSource["find"]>>) => {
      if (!session) return;
      passage.actor = { kind: "user", user: session.user, sessionHash: session.tokenHash };
      if (sessions.touch(session)) passage.session.set(token);
    };
    const found = sessions.find(token);
    return found instanceof Promise ? found.then(take) : take(found);
  };

  const handleCall = (passage: Passage, path: string, isSocket: boolean): Response | Promise<Response> => {
    const method = passage.request.method;
    const route = routes.find(method === "HEAD" ? "GET" : method, path);
    if (route === null) throw new AppError("NOT_FOUND");
    if (Array.isArray(route))
      return refuse(passage, new AppError("METHOD_NOT_ALLOWED"), { allow: route.join(", ") });
    passage.label = route.template;
    if (method === "HEAD" && route.stateChange) throw new AppError("METHOD_NOT_ALLOWED");
    if (isSocket) return callRoute(passage, route);
    checkOrigin(passage, route);
    const identified = identify(passage);
    if (!(identified instanceof Promise)) return callRoute(passage, route);
    return identified.then(() => callRoute(passage, route)).catch((error) => refuse(passage, error));
  };

  const handlePage = (passage: Passage, path: string, search: string): Response | Promise<Response> => {
    const { request } = passage;
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
      response.headers.set("x-request-id", passage.requestId);
      return finish(passage, response);
    };
    const identified = path.startsWith("/assets/") ? undefined : identify(passage);
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
    const token = isSocket ? null : readSessionToken(request.headers.get("cookie"), cookieName);
    const passage: Passage = {
      request,
      requestId: crypto.randomUUID(),
      startedNs: Bun.nanoseconds(),
      ip: isSocket ? "local" : addressOf(entrance.peer, request.headers.get("x-forwarded-for")),
      userAgent,
      label: path.slice(0, 100),
      actor: isSocket ? operator : visitor,
      session: new CallSession(token, isHttps),
    };
    try {
      if (!isSocket && !probes.has(path) && !isOurHost(request.headers.get("host"))) {
        throw new AppError("MISDIRECTED_HOST");
      }
      if (request.url.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
      if (isCall && !isCanonicalPath(path)) throw new AppError("NOT_FOUND");
      return isCall ? handleCall(passage, path, isSocket) : handlePage(passage, path, search);
    } catch (error) {
      return refuse(passage, error);
    }
  };
};

const pageDeadlineMs = 2_000;

const originClassOf = (method: string, route: Route): OriginClass => {
  if (!safeMethods.has(method)) return "unsafe";
  if (route.stateChange === "by-cookie") return "get-by-cookie";
  return route.stateChange === "by-token" ? "get-by-token" : "safe";
};

const checkAccess = (actor: Actor, access: Access): void => {
  if (access === "public" || actor.kind === "operator") return;
  if (actor.kind === "visitor") throw new AppError("NOT_SIGNED_IN");
  if (access === "operator" || (access === "admin" && actor.user.role !== "admin"))
    throw new AppError("FORBIDDEN");
};
