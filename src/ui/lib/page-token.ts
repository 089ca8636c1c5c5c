import { safePath, safePathOrDashboard } from "#contract/page-paths.ts";

const keyOf = (path: string) => `token:${path}`;

/**
 * The emailed token that this tab opened the present page with, or `null`. It is kept for the tab alone, out of the address
 * and the history, so that the page can be reloaded.
 */
export const readPageToken = (): string | null => {
  try {
    return sessionStorage.getItem(keyOf(location.pathname));
  } catch {
    // Storage is closed to this page: a reload asks for the link again.
    return null;
  }
};

/**
 * Keeps the token of a page, of the present one unless `path` names another, until the tab is closed; `null` removes it once
 * it is of no more use.
 */
export const keepPageToken = (token: string | null, path: string = location.pathname): void => {
  try {
    if (token === null) sessionStorage.removeItem(keyOf(path));
    else sessionStorage.setItem(keyOf(path), token);
  } catch {
    // Storage is closed to this page: nothing is kept, and nothing has to be removed.
  }
};

/** The sign-in page's address that remembers where the reader wanted to go (`path` with its query). */
export const loginPath = (path: string): string => {
  const origin = safePath(path);
  return origin === null || origin === "/" ? "/login" : `/login?from=${encodeURIComponent(origin)}`;
};

/** Where to go after signing in, from a query string: its `from` when that lies on this site, else `/dashboard`. */
export const originFrom = (search: string): string =>
  safePathOrDashboard(new URLSearchParams(search).get("from"));

const reasons = ["idle", "limit", "ended"] as const;

/** Why a session ended: no one used it, it reached its limit, or for a reason that the page doesn't know. */
export type SignOutReason = (typeof reasons)[number];

/** What a history entry of the sign-in page says of a session that ended in the middle of work. */
export const wasSignedOut = {
  mark: (reason: SignOutReason) => ({ wasSignedOut: reason }),
  /** Why it ended; `null` where the entry's state, which may be anything, doesn't say that one did. */
  reasonIn: (state: unknown): SignOutReason | null => {
    const said: unknown = Reflect.get(Object(state), "wasSignedOut");
    return reasons.find((reason) => reason === said) ?? null;
  },
};
