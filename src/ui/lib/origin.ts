import { safePath, safePathOrDashboard } from "#contract/page-paths.ts";

/** The sign-in page's address that remembers where the reader wanted to go (`path` with its query). */
export const loginPath = (path: string): string => {
  const origin = safePath(path);
  return origin === null || origin === "/" ? "/login" : `/login?from=${encodeURIComponent(origin)}`;
};

/** Where to go after signing in, from a query string: its `from` when that lies on this site, else `/dashboard`. */
export const originFrom = (search: string): string =>
  safePathOrDashboard(new URLSearchParams(search).get("from"));

/** What a history entry of the sign-in page says of a session that ended in the middle of work. */
export const wasSignedOut = {
  mark: { wasSignedOut: true },
  /** Whether the entry's state, which may be anything, says so. */
  isIn: (state: unknown): boolean =>
    typeof state === "object" && state !== null && "wasSignedOut" in state && state.wasSignedOut === true,
};
