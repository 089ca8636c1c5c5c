import { Memoirist } from "memoirist";
import {
  type Access,
  accessLevels,
  type OriginClass,
  ownRights,
  type RouteScope,
  routeScopes,
  type StateChange,
  stateChanges,
} from "#api/door/access.ts";
import type { Exchange, PlannedOperation, Route } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { dryRunName, planPath } from "#contract/plan.ts";
import { type Proof, proofs } from "#contract/proof.ts";
import { createBodyCheck, isSafeMethod } from "./body.ts";
import type { Identify } from "./identity.ts";
import { isFileName } from "./pages/file-name.ts";
import type { PageServer } from "./pages/open-page.ts";
import type { SiteImages } from "./pages/site-images.ts";

const hostPattern = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The name or address in a `Host` header, in lower case and without its port; `null` when it is absent or malformed. */
export const hostNameOf = (host: string | null): string | null =>
  hostPattern.exec(host?.toLowerCase() ?? "")?.[1] ?? null;

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const rememberedHosts = 256;

/**
 * A test whether a `Host` header names this server: the host of the public origin, the listed ones, and loopback.
 * Absent, repeated and malformed headers do not. Elysia takes the path from the 11th character of the URL,
 * so a host that is too short would shift the route: such names never pass.
 */
export const createHostRule = (
  appUrl: string,
  allowedHosts: string[],
): ((host: string | null) => boolean) => {
  const names = new Set([
    ...loopbackNames,
    new URL(appUrl).hostname,
    ...allowedHosts.map((host) => host.toLowerCase()),
  ]);
  const decided = new Map<string, boolean>();
  return (host) => {
    if (host === null) return false;
    const known = decided.get(host);
    if (known !== undefined) return known;
    const name = hostNameOf(host);
    const isOurs = name !== null && name.length >= 4 && names.has(name);
    if (decided.size < rememberedHosts) decided.set(host, isOurs);
    return isOurs;
  };
};

// Path characters of RFC 3986 §3.3 without percent-encoding, parameters and anything that could be read in two ways.
const plainPath =
  /^\/(?:[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*(?:\/[A-Za-z0-9_~!$&'()*+,=:@-][A-Za-z0-9._~!$&'()*+,=:@-]*)*)?$/;
const rememberedPaths = 4_096;
const decided = new Map<string, boolean>();

/**
 * The path and the query of a request's URL, exactly as they came. The path ends before `?` or `#`. Of a request whose
 * `Host` is absent or malformed the runtime tells the path alone.
 */
export const splitTarget = (url: string): { path: string; search: string } => {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return { path: "/", search: "" };
  const query = url.indexOf("?", start);
  if (query < 0) return { path: url.slice(start), search: "" };
  return { path: url.slice(start, query), search: url.slice(query) };
};

/** A request with its path and query; one whose path `standIn` replaces is told as a request for that. */
export const readTarget = (request: Request, standIn: (path: string) => string | null) => {
  const { path, search } = splitTarget(request.url);
  const other = standIn(path);
  if (other === null) return { told: request, path, search };
  return { told: new Request(`http://localhost${other}${search}`, request), path: other, search };
};

/**
 * Whether a path has only one reading: no escapes, empty, dot or hidden segments, parameters or trailing slash.
 * Router, guards and log then see the same path; every other spelling is simply not found.
 */
export const isCanonicalPath = (path: string): boolean => {
  const known = decided.get(path);
  if (known !== undefined) return known;
  const isCanonical = path.length <= 2_048 && plainPath.test(path);
  // Only short paths are worth remembering; long ones are tokens and attacks.
  if (path.length <= 64 && decided.size < rememberedPaths) decided.set(path, isCanonical);
  return isCanonical;
};

// Tokens have 43 characters; words of a path are lower-case and shorter.
const longSegment = /[^/]{20,}/g;
const words = /^[a-z-]{1,40}$/;

/** A path for the log, at most 100 characters, without segments that could be or contain a token. */
export const loggedPath = (path: string): string => {
  if (path.length < 20) return path;
  return path.replace(longSegment, (segment) => (words.test(segment) ? segment : "…")).slice(0, 100);
};

/** The path of the API's description. */
export const documentPath = "/swagger/json";

const probes = new Set(["/api/health", "/api/ready", "/api/metrics"]);

/** Whether a path is a health probe. */
export const isProbePath = (path: string): boolean => probes.has(path);

const anyName = new Set(["/api/health", "/api/ready"]);

/** Whether a path is answered under any `Host`: probes know the process by its address alone. */
export const isUnderAnyName = (path: string): boolean => anyName.has(path);

const signOut = "/api/auth/logout";

const signIn = new Set(["/login", "/api/auth/login", "/api/auth/login/factor", "/api/auth/user", signOut]);

/**
 * Whether a request is needed for signing in or out, which no rule of a plugin may block for everyone: rules about addresses
 * and countries apply to it, rules about texts and frequency do not. Guessing passwords has its own limits.
 */
export const isWayIn = (path: string, verdict: Verdict): boolean =>
  "by" in verdict &&
  (verdict.by === "pattern" || verdict.by === "rate") &&
  (signIn.has(path) || path.startsWith("/assets/"));

const pageDeadlineMs = 2_000;

/** Answers requests outside the API, with the user's session if there is one. */
export const createPageCall =
  (pages: PageServer, images: SiteImages, identify: Identify) =>
  (exchange: Exchange, path: string): Response | Promise<Response> => {
    const { request, search } = exchange;
    const image = images({ method: request.method, path, headers: request.headers });
    if (image !== null) return image;
    const respond = (isKnown: boolean) => {
      const { actor } = exchange;
      const user = actor.kind === "user" ? actor.user : null;
      const { method, headers } = request;
      return pages.respond({
        method,
        path,
        search,
        headers,
        user,
        isKnown,
        hasToken: actor.kind === "token",
      });
    };
    const isForAll = isFileName(path) && pages.isForSome?.(path) !== true;
    const identified = isForAll ? undefined : identify(exchange);
    if (!(identified instanceof Promise)) return respond(true);
    // A page never waits long for the database: without the user, the browser asks again automatically.
    const deadline = Bun.sleep(pageDeadlineMs).then(() => false);
    return (
      Promise.race([identified.then(() => true), deadline])
        // A token that is refused is known to be no one's.
        .catch(() => exchange.bearer !== null && exchange.bearer.refusal !== null)
        .then(respond)
    );
  };

/** Elysia's own list of routes, as far as it is read here. */
export type DeclaredRoute = { method: string; path: string; hooks: unknown };

export type RouteTable = {
  /** The route for a canonical path, `null` when the path has none, else its template and the methods it has. */
  find(method: string, path: string): Route | { template: string; allow: string[] } | null;
  /**
   * For the path of an emailed link whose token was damaged on its way: the same route with an invalid token. `null`
   * for every other path.
   */
  standIn(path: string): string | null;
  readonly all: Route[];
};

/** Builds the table. Throws for a route that does not say who may call it, with which API tokens, or with which proof. */
export const createRouteTable = (declared: DeclaredRoute[]): RouteTable => {
  const all = declared.map(toRoute);
  const fixed = new Map<string, Map<string, Route>>();
  const dynamic = new Memoirist<Map<string, Route>>();
  const templates = new Map<string, Map<string, Route>>();
  for (const route of all) {
    const methods = templates.get(route.template) ?? new Map<string, Route>();
    if (!templates.has(route.template)) {
      templates.set(route.template, methods);
      if (route.template.includes(":")) dynamic.add("ANY", route.template, methods);
      if (!route.template.includes(":")) fixed.set(route.template, methods);
    }
    methods.set(route.method, route);
  }
  for (const { planned } of all)
    if (planned !== null) fixed.set(planPath(planned.id), new Map([["POST", planRoute(planned)]]));
  const tokenParents = all.flatMap(({ template }) =>
    template.endsWith("/:token") ? [template.slice(0, -":token".length)] : [],
  );
  return {
    all,
    standIn: (path) => {
      const parent = tokenParents.find((start) => path.startsWith(start));
      return parent === undefined || plainToken.test(path.slice(parent.length)) ? null : `${parent}-`;
    },
    find: (method, path) => {
      const methods = fixed.get(path) ?? dynamic.find("ANY", path)?.store;
      if (!methods) return null;
      const route = methods.get(method);
      if (route) return route;
      const [any] = methods.values();
      return any ? { template: any.template, allow: [...methods.keys()] } : null;
    },
  };
};

// Longer texts cannot be tokens.
const plainToken = /^[A-Za-z0-9_-]{1,100}$/;

const toRoute = ({ method, path, hooks }: DeclaredRoute): Route => {
  const access: unknown = Reflect.get(Object(hooks), "access");
  if (!isAccess(access)) throw new Error(`${method} ${path} does not say who may call it (access)`);
  const given: unknown = Reflect.get(Object(hooks), "stateChange");
  const stateChange = isStateChange(given) ? given : null;
  const scope = scopeOf({ method, path, hooks });
  if (access === "admin" && scope === null)
    throw new Error(`${method} ${path} does not say which API tokens may call it (scope)`);
  const proof = proofOf(hooks);
  if (access === "admin" && proof === null && (method !== "GET" || stateChange !== null))
    throw new Error(`${method} ${path} does not say which proof it wants (proof)`);
  const failurePath: unknown = Reflect.get(Object(hooks), "failurePath");
  const takesUpload = Reflect.get(Object(hooks), "upload") !== undefined;
  const summary: unknown = Reflect.get(Object(Reflect.get(Object(hooks), "detail")), "summary");
  const id: unknown = Reflect.get(Object(hooks), "planned");
  const route: Route = {
    method,
    template: path,
    summary: typeof summary === "string" ? summary : `${method} ${path}`,
    access,
    scope: access === "admin" ? scope : null,
    proof: proof ?? "none",
    takesPassword: Reflect.get(Object(hooks), "takesPassword") === true,
    isForEnrolment: Reflect.get(Object(hooks), "forEnrolment") === true,
    exemption: exemptionOf(path, access),
    stateChange,
    originClass: originClassOf(method, stateChange),
    failurePath: typeof failurePath === "string" ? failurePath : null,
    mayTakeLong: Reflect.get(Object(hooks), "mayTakeLong") === true,
    isShared: Reflect.get(Object(hooks), "isShared") === true,
    bodyKind: bodyKindOf(hooks),
    isForTokens: bodyKindOf(hooks) === "message",
    bodyCheck: takesUpload ? null : createBodyCheck(Reflect.get(Object(hooks), "body")),
    plugin: null,
    queryNames: null,
    planned: null,
    answer: null,
  };
  if (typeof id === "string") route.planned = { id, route, places: placesOf(hooks) };
  // Browsers are led to the others from elsewhere, with whatever their addresses hold.
  if (!isSafeMethod(method) || stateChange === "by-token")
    route.queryNames = [...namesIn(hooks, "query"), ...(route.planned === null ? [] : [dryRunName])];
  return route;
};

const originClassOf = (method: string, stateChange: StateChange | null): OriginClass => {
  if (!isSafeMethod(method)) return "unsafe";
  return stateChange === null ? "safe" : `get-${stateChange}`;
};

const namesIn = (hooks: unknown, part: string): string[] =>
  Object.keys(Object(Reflect.get(Object(Reflect.get(Object(hooks), part)), "properties")));

const placesOf = (hooks: unknown): PlannedOperation["places"] =>
  new Map(
    (["params", "query", "body", "headers"] as const).flatMap((part) =>
      namesIn(hooks, part).map((name) => [name, part] as const),
    ),
  );

/** The route of an operation's plan, with the access and limits of the operation. */
const planRoute = (planned: PlannedOperation): Route => ({
  ...planned.route,
  method: "POST",
  template: planPath(":operation"),
  summary: `Plan: ${planned.route.summary}`,
  bodyKind: "any-json",
  bodyCheck: null,
  queryNames: [],
  planned,
});

const bodyKindOf = (hooks: unknown): Route["bodyKind"] => {
  if (Reflect.get(Object(hooks), "upload") !== undefined) return "upload";
  if (Reflect.get(Object(hooks), "form") === true) return "form";
  return Reflect.get(Object(hooks), "messages") === true ? "message" : "json";
};

const proofOf = (hooks: unknown): Proof | null => {
  const proof: unknown = Reflect.get(Object(hooks), "proof");
  return proofs.find((known) => known === proof) ?? null;
};

/** What an API token must be allowed to call a route, as in {@link Route}; `null` where the route does not say. */
export const scopeOf = ({ method, hooks }: DeclaredRoute): Route["scope"] => {
  if (Reflect.get(Object(hooks), "tokens") === false) return "none";
  const scope: unknown = Reflect.get(Object(hooks), "scope");
  if (!isRouteScope(scope)) return null;
  if (scope === "any") return "any";
  if (scope === "all") return "*";
  if (isOwnRight(scope)) return scope;
  const right: unknown = Reflect.get(Object(hooks), "scopeRight");
  const isChange = method !== "GET" || isStateChange(Reflect.get(Object(hooks), "stateChange"));
  return `${scope}:${right === "read" || (right !== "write" && !isChange) ? "read" : "write"}`;
};

/**
 * Routes of plugins and of admins, which the limit can leave out, and signing out, which it counts but never refuses. Other routes
 * that are open to everyone are never left out.
 */
const exemptionOf = (template: string, access: Access): Route["exemption"] => {
  if (template === signOut) return "sign-out";
  if (/^\/api\/plugin(?:s|-host)(?:\/|$)/.test(template)) return "plugin";
  return access === "admin" || access === "operator" ? "admin" : null;
};

const isStateChange = (value: unknown): value is StateChange => stateChanges.some((right) => right === value);

const isOwnRight = (scope: RouteScope): scope is (typeof ownRights)[number] =>
  ownRights.some((right) => right === scope);

const isRouteScope = (value: unknown): value is RouteScope => routeScopes.some((scope) => scope === value);

const isAccess = (value: unknown): value is Access => accessLevels.some((level) => level === value);
