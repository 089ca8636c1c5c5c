import type { Exchange } from "#api/door/exchange.ts";
import type { Verdict } from "#api/plugin-host/guard/guard.ts";
import type { Identify } from "./identity.ts";
import type { PageServer } from "./page-server.ts";
import { isFileName } from "./pages/file-name.ts";

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
export const isProbe = (path: string): boolean => probes.has(path);

const anyName = new Set(["/api/health", "/api/ready"]);

/** Whether a path is answered under any `Host`: probes know the process by its address alone. */
export const isUnderAnyName = (path: string): boolean => anyName.has(path);

const signIn = new Set(["/login", "/api/auth/login", "/api/auth/user"]);

/**
 * Whether a request is on the way to signing in, which no rule of a plugin may close to everybody: those about places
 * apply to it, those about texts and frequency do not. Guessing passwords has bounds of its own.
 */
export const isWayIn = (path: string, verdict: Verdict): boolean =>
  "by" in verdict &&
  (verdict.by === "pattern" || verdict.by === "rate") &&
  (signIn.has(path) || path.startsWith("/assets/"));

const pageDeadlineMs = 2_000;

/** Answers requests outside the API, with the user's session if there is one. */
export const createPageCall =
  (pages: PageServer, identify: Identify) =>
  (exchange: Exchange, path: string): Response | Promise<Response> => {
    const { request, search } = exchange;
    const respond = (isKnown: boolean) => {
      const user = exchange.actor.kind === "user" ? exchange.actor.user : null;
      return pages.respond({ method: request.method, path, search, headers: request.headers, user, isKnown });
    };
    const identified = isFileName(path) ? undefined : identify(exchange);
    if (!(identified instanceof Promise)) return respond(true);
    // A page never waits long for the database: without the user, the browser asks again automatically.
    const deadline = Bun.sleep(pageDeadlineMs).then(() => false);
    return Promise.race([identified.then(() => true), deadline])
      .catch(() => false)
      .then(respond);
  };
