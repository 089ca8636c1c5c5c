import { limits } from "#contract/limits.ts";
import type { SessionCookie } from "./door.ts";

/** `__Host-` ties the cookie to this very host and to https; browsers refuse the prefix on plain http. */
export const sessionCookieName = (isHttps: boolean): string => (isHttps ? "__Host-sid" : "sid");

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token in the one cookie of that name, or `null` when there is none, it is malformed, or there are two:
 * of two, the first may have been planted by a neighbouring host.
 */
export const readSessionToken = (cookieHeader: string | null, name: string): string | null => {
  const [value, ...more] = valuesOf(cookieHeader, name);
  return value !== undefined && more.length === 0 && tokenPattern.test(value) ? value : null;
};

/** Whether any cookie of the session's name came along, good or not: what the origin rule asks. */
export const hasSessionCookie = (cookieHeader: string | null, name: string): boolean =>
  valuesOf(cookieHeader, name).length > 0;

const valuesOf = (cookieHeader: string | null, name: string): string[] => {
  const values: string[] = [];
  for (const pair of cookieHeader?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at >= 0 && pair.slice(0, at).trim() === name) values.push(pair.slice(at + 1).trim());
  }
  return values;
};

/** The `Set-Cookie` value that stores `token` for the life of a session. */
export const sessionCookie = (token: string, isHttps: boolean): string =>
  `${sessionCookieName(isHttps)}=${token}; Path=/; Max-Age=${limits.sessionMs / 1000}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

/** The `Set-Cookie` value that removes the session cookie. */
export const clearedCookie = (isHttps: boolean): string =>
  `${sessionCookieName(isHttps)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

/** The session cookie of one call; `pending` is the `Set-Cookie` value to send, once somebody asked for one. */
export type CallSession = SessionCookie & { readonly pending: string | null };

/** What a call begins with: the token that came in, or `null`, and nothing to send. */
export const createCallSession = (token: string | null, isHttps: boolean): CallSession => {
  let pending: string | null = null;
  return {
    token,
    get pending() {
      return pending;
    },
    set: (next) => {
      pending = sessionCookie(next, isHttps);
    },
    clear: () => {
      pending = clearedCookie(isHttps);
    },
  };
};
