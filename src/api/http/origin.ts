import type { OriginClass } from "#api/door/access.ts";
import type { CallCookie, CallCookies, Exchange, Route } from "#api/door/exchange.ts";
import { limits } from "#contract/limits.ts";

/** The headers by which a browser says where a request comes from. */
export type Provenance = { origin: string | null; fetchSite: string | null; purpose: string | null };

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
  /** Whether a browser asks, with `OPTIONS` and for a page of a listed origin, what it may send. */
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
      request.headers.has("access-control-request-method") && listedOrigin(request) !== null,
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

/** Checks whether another site may have triggered a request with the cookie of a signed-in user. */
export const createForgeryTest = (appUrl: string, corsOrigins: string[], sessionCookie: string) => {
  const mayComeFrom = createOriginRule(appUrl, corsOrigins);
  return ({ request }: Exchange, { originClass }: Route): boolean => {
    const get = (name: string) => request.headers.get(name);
    const from = { origin: get("origin"), fetchSite: get("sec-fetch-site"), purpose: get("sec-purpose") };
    return !mayComeFrom(originClass, from, hasSessionCookie(get("cookie"), sessionCookie));
  };
};

/** The cookies of the product besides the session's, `sid`, and how long each lasts in milliseconds. */
const lifetimesMs = {
  device: limits.deviceMs,
  oauth: limits.oauthStateMs,
  pending: limits.verificationTokenMs,
  step: limits.stepMs,
} as const;
type TimedKind = keyof typeof lifetimesMs;
type CookieKind = TimedKind | "sid";

/** `__Host-` ties the cookie to this very host and to https; browsers refuse the prefix on plain http. */
export const cookieName = (kind: CookieKind, isHttps: boolean): string => (isHttps ? `__Host-${kind}` : kind);

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;
// Encrypted text rather than a token.
const sealedPattern = /^[A-Za-z0-9_-]{1,1000}$/;

/**
 * The token in the one cookie of that name, or `null` when there is none, it is malformed, or there are two:
 * of two, the first may have been planted by a neighboring host.
 */
export const readToken = (
  cookieHeader: string | null,
  name: string,
  pattern: RegExp = tokenPattern,
): string | null => {
  const [value, ...more] = valuesOf(cookieHeader, name);
  return value !== undefined && more.length === 0 && pattern.test(value) ? value : null;
};

/** Whether the request has a session cookie, valid or not, for the origin rule. */
export const hasSessionCookie = (cookieHeader: string | null, name: string): boolean =>
  valuesOf(cookieHeader, name).length > 0;

// Nothing else: other characters that count as white space to JavaScript are part of a name to browsers, which then let a
// neighboring host set it, whatever it begins with.
const blanks = /^[ \t]+|[ \t]+$/g;

const valuesOf = (cookieHeader: string | null, name: string): string[] => {
  const values: string[] = [];
  for (const pair of cookieHeader?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at >= 0 && pair.slice(0, at).replace(blanks, "") === name)
      values.push(pair.slice(at + 1).replace(blanks, ""));
  }
  return values;
};

type KeptCookie = { token: string; lifeMs: number };

/** The `Set-Cookie` value that stores `token`. */
export const setCookie = (kind: CookieKind, { token, lifeMs }: KeptCookie, isHttps: boolean): string =>
  `${cookieName(kind, isHttps)}=${token}; Path=/; Max-Age=${Math.ceil(lifeMs / 1000)}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

/** The `Set-Cookie` value that removes a cookie. */
export const clearedCookie = (kind: CookieKind, isHttps: boolean): string =>
  `${cookieName(kind, isHttps)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

/** The cookies of a request, with none to send yet. A `null` header means no cookies. */
export const createCallCookies = (header: string | null, isHttps: boolean): CallCookies => {
  const changed = new Map<CookieKind, string>();
  const cookie = (kind: CookieKind) => {
    const pattern = kind === "step" ? sealedPattern : tokenPattern;
    return {
      token: header === null ? null : readToken(header, cookieName(kind, isHttps), pattern),
      set: (token: string, lifeMs: number) =>
        void changed.set(kind, setCookie(kind, { token, lifeMs }, isHttps)),
      clear: () => void changed.set(kind, clearedCookie(kind, isHttps)),
      leave: () => void changed.delete(kind),
    };
  };
  const timed = (kind: TimedKind): CallCookie => {
    const { set, ...rest } = cookie(kind);
    return { ...rest, set: (token) => set(token, lifetimesMs[kind]) };
  };
  return {
    session: cookie("sid"),
    device: timed("device"),
    oauth: timed("oauth"),
    pending: timed("pending"),
    step: timed("step"),
    toSend: () => changed.values(),
  };
};
