import { apiTokenPrefix } from "#api/core/actor.ts";
import type { Services } from "#api/core/context.ts";
import {
  type ActiveSwitches,
  type Bearer,
  type Entrance,
  type Exchange,
  operator,
  visitor,
} from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import { mcpPath } from "#contract/mcp.ts";
import type { ClientFinder, ProxyWatch } from "./client.ts";
import type { Identify } from "./identity.ts";
import { createCallCookies } from "./origin.ts";
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

/** Where a user signs out. */
export const signOutPath = "/api/auth/logout";

const signIn = new Set([
  "/login",
  "/api/auth/login",
  "/api/auth/login/factor",
  "/api/auth/user",
  signOutPath,
]);

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

const local = { ip: "local", peer: "local", isForwarded: false };

type BeginOptions = {
  services: Services;
  pages: PageServer;
  clients: ClientFinder;
  watch: ProxyWatch;
  isOurHost: (host: string | null) => boolean;
  isHttps: boolean;
  /** The path that a request is told to be for, where its own leads to no one: see `RouteTable` in route-table.ts. */
  standIn: (path: string) => string | null;
};

/** Starts an exchange with what the request itself contains. */
export const createBegin =
  ({ services, pages, clients, watch, isOurHost, isHttps, standIn }: BeginOptions) =>
  (arrived: Request, entrance: Entrance): Exchange => {
    const { path: sent, search } = splitTarget(arrived.url);
    const other = standIn(sent);
    const path = other ?? sent;
    const request = other === null ? arrived : new Request(`http://localhost${other}${search}`, arrived);
    const switches = activeSwitches(services);
    const isSocket = entrance.via === "socket";
    const isProbe = isProbePath(path);
    const forwardedFor = isSocket ? null : request.headers.get("x-forwarded-for");
    const { clock } = services;
    const [at, nowMs] = [clock.now(), clock.uptimeMs()];
    const client = isSocket ? local : clients.find(entrance.peer, forwardedFor, switches.trustProxy);
    // Health probes bypass the proxy and are not visitors.
    if (!isSocket && !isProbe) watch.see(client, { forwardedFor, trustProxy: switches.trustProxy, nowMs });
    const isCall = path === "/api" || path.startsWith("/api/") || path === documentPath || path === mcpPath;
    // What is the same for everyone, as the API's description usually is, ignores tokens.
    const isForSome =
      path === documentPath
        ? services.settings.current.site.docs !== "everybody"
        : isCall || pages.isForSome?.(path) === true;
    const takesToken = !isSocket && isForSome;
    const bearer = takesToken ? readBearer(request.headers.get("authorization")) : null;
    return {
      request,
      entrance,
      requestId: crypto.randomUUID(),
      startedNs: Bun.nanoseconds(),
      at,
      switches,
      client,
      ip: client.ip,
      userAgent: request.headers.get("user-agent"),
      isCall,
      isProbe,
      isOurs: isSocket || isOurHost(request.headers.get("host")),
      path,
      search,
      label: loggedPath(path),
      actor: isSocket ? operator : visitor,
      cookies: createCallCookies(isSocket || bearer ? null : request.headers.get("cookie"), isHttps),
      bearer,
      route: null,
      trace: { failure: null, isRecorded: false },
      failurePath: null,
      limitHeaders: null,
    };
  };

/** Reads settings and firewall each time, so that a change applies from the next request on. */
export const activeSwitches = ({
  settings,
  firewall,
}: Pick<Services, "settings" | "firewall">): ActiveSwitches => {
  const { rateLimiting, security } = settings.current.core;
  const { manager } = firewall;
  const isManaged = manager?.isManaging === true;
  const isCountedElsewhere = isManaged && manager.isCounting;
  return {
    trustProxy: isManaged || security.trustProxy,
    helmetEnabled: security.helmetEnabled,
    corsEnabled: isManaged || security.corsEnabled,
    limit: rateLimiting.enabled && !isCountedElsewhere ? rateLimiting : null,
    pluginRoutesSkipped:
      (rateLimiting.enabled || isCountedElsewhere) && rateLimiting.skipPluginRoutes ? rateLimiting : null,
  };
};

const scheme = /^bearer(?: +|$)/i;

/**
 * The API token in an `Authorization` header, whatever is wrong with it, an empty one too: it comes from a variable that was
 * not set. `null` for every other credential: proxies have their own, and so have those who watch the process.
 */
const readBearer = (header: string | null): Bearer | null => {
  if (header === null || !scheme.test(header)) return null;
  const token = header.replace(scheme, "").trim();
  const isOurs = token === "" || token.startsWith(apiTokenPrefix);
  return isOurs ? { token, fault: null, refusal: null, challenge: null } : null;
};
