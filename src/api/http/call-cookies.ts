import type { CallCookie, CallCookies } from "#api/door/exchange.ts";
import { limits } from "#contract/limits.ts";

/** The cookies of the product besides the session's, `sid`, and how long each lasts in milliseconds. */
const lifetimesMs = {
  /** Marks a browser that its user has signed in with before. */
  device: limits.deviceMs,
  /** Ties an identity provider's response to the browser that asked for it. */
  oauth: limits.oauthStateMs,
  /** Identifies the registration made in this browser. */
  pending: limits.verificationTokenMs,
  /** Carries a sign-in from the password to the second factor. */
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
    let read: string | null | undefined;
    return {
      // Most requests need the session alone.
      get token() {
        const pattern = kind === "step" ? sealedPattern : tokenPattern;
        if (read === undefined) read = readToken(header, cookieName(kind, isHttps), pattern);
        return read;
      },
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
