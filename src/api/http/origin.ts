import type { Exchange, Route } from "#api/door/exchange.ts";
import { hasSessionCookie } from "./call-cookies.ts";

/** The headers by which a browser says where a request comes from. */
export type Provenance = { origin: string | null; fetchSite: string | null; purpose: string | null };

/** What a call does, seen from the origin rule: the GETs change state by what they carry. */
export type OriginClass = "safe" | "unsafe" | "get-by-cookie" | "get-by-token" | "get-by-state";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The rule against forged requests. Trusted are the public origin, the listed ones, and, when the public origin is on
 * loopback, the same port under loopback's other names.
 * A browser's word is taken from `Origin`, else `Sec-Fetch-Site`, and the two must not contradict each other.
 */
export const createOriginRule = (appUrl: string, corsOrigins: string[]) => {
  const listed = new Set(corsOrigins);
  const own = new Set(ownOrigins(new URL(appUrl)));

  const isTrusted = ({ origin, fetchSite }: Provenance): boolean => {
    if (origin !== null && listed.has(origin)) return true;
    if (fetchSite !== null && fetchSite !== "same-origin") return false;
    return origin === null ? fetchSite === "same-origin" : own.has(origin);
  };
  const isSilent = ({ origin, fetchSite }: Provenance): boolean =>
    origin === null && (fetchSite === null || fetchSite === "none");

  /** Whether the request is allowed. */
  return (kind: OriginClass, from: Provenance, hasCookie: boolean): boolean => {
    if (kind === "safe") return true;
    if (kind === "unsafe") return isTrusted(from) || (!hasCookie && isSilent(from));
    if (from.purpose !== null) return false;
    // It comes from the identity provider's site by design; the state in it must fit a cookie of this browser.
    if (kind === "get-by-state") return true;
    const isTyped = from.origin === null && from.fetchSite === "none";
    const isProgram = from.origin === null && from.fetchSite === null;
    return isTrusted(from) || isTyped || (isProgram && (kind === "get-by-token" || !hasCookie));
  };
};

const ownOrigins = (appUrl: URL): string[] => {
  if (!loopbackNames.includes(appUrl.hostname)) return [appUrl.origin];
  const port = appUrl.port === "" ? "" : `:${appUrl.port}`;
  return loopbackNames.map((name) => `${appUrl.protocol}//${name}${port}`);
};

/** What CORS adds to the answers of the API. */
export type CorsRule = {
  /** The origins that are listed. */
  origins: string[];
  /** Whether a browser asks, for a page of a listed origin, what it may send. */
  isPreflight(request: Request): boolean;
  /** The answer to such a question about a path that has these methods. */
  answerPreflight(methods: string[], headers: Record<string, string>): Response;
  /** Lets pages of a listed origin read a response, with credentials, and marks it for caches as different by origin. */
  mark(request: Request, headers: Headers): void;
};

// What callers may read besides the safelisted headers, and send besides the safelisted ones (Fetch standard §2.2.2).
const readable = "x-request-id, RateLimit, RateLimit-Policy, Retry-After, Content-Disposition";
const sendable =
  "authorization, content-type, idempotency-key, last-event-id, mcp-protocol-version, mcp-method, mcp-name";
// Short, so that a browser soon notices that an origin is not listed any more.
const preflightAgeS = 600;

/** The rule for the listed origins, as browsers spell them: no pattern, so never all of them, nor the opaque one. */
export const createCorsRule = (corsOrigins: string[]): CorsRule => {
  const listed = new Set(corsOrigins.filter((origin) => origin !== "*" && origin !== "null"));
  // Letter for letter: browsers spell an origin in one way only.
  const listedOrigin = ({ headers }: Request): string | null => {
    const origin = headers.get("origin");
    return origin !== null && listed.has(origin) ? origin : null;
  };
  return {
    origins: [...listed],
    isPreflight: (request) =>
      request.method === "OPTIONS" &&
      request.headers.has("access-control-request-method") &&
      listedOrigin(request) !== null,
    answerPreflight: (methods, headers) =>
      new Response(null, {
        status: 204,
        headers: {
          ...headers,
          vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": sendable,
          "access-control-max-age": String(preflightAgeS),
        },
      }),
    mark: (request, headers) => {
      // An answer that a plugin kept was marked when it was made.
      if (!/(?:^|,)\s*origin\s*(?:,|$)/i.test(headers.get("vary") ?? "")) headers.append("vary", "Origin");
      const origin = listedOrigin(request);
      if (origin === null) return;
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-allow-credentials", "true");
      headers.set("access-control-expose-headers", readable);
    },
  };
};

const safeMethods = new Set(["GET", "HEAD"]);

/** Whether a method only reads, unless a route says otherwise. Source: RFC 9110 §9.2.1. */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/** Whether a call changes something, or is allowed to. */
export const isChange = (method: string, route: Route): boolean => originClassOf(method, route) !== "safe";

/** Checks whether another site may have triggered a request with the cookie of a signed-in user. */
export const createForgeryTest = (appUrl: string, corsOrigins: string[], sessionCookie: string) => {
  const mayComeFrom = createOriginRule(appUrl, corsOrigins);
  return ({ request }: Exchange, route: Route): boolean => {
    const kind = originClassOf(request.method, route);
    if (kind === "safe") return false;
    const get = (name: string) => request.headers.get(name);
    const from = { origin: get("origin"), fetchSite: get("sec-fetch-site"), purpose: get("sec-purpose") };
    return !mayComeFrom(kind, from, hasSessionCookie(get("cookie"), sessionCookie));
  };
};

const originClassOf = (method: string, route: Route): OriginClass => {
  if (!isSafeMethod(method)) return "unsafe";
  return route.stateChange ? `get-${route.stateChange}` : "safe";
};
