const hiddenFrom = ["/login", "/register", "/setup"];

/** The sign-in page's address that remembers where the reader wanted to go (`path` with its query). */
export const loginPath = (path: string): string => {
  const origin = safePath(path);
  return origin === null || origin === "/" ? "/login" : `/login?from=${encodeURIComponent(origin)}`;
};

/** Where to go after signing in, from a query string: its `from` when that lies on this site, else `/dashboard`. */
export const originFrom = (search: string): string =>
  safePath(new URLSearchParams(search).get("from") ?? "") ?? "/dashboard";

// A base that no address can name by chance: whatever resolves away from it leads to another site.
const base = "https://same-origin.invalid";

/** The path with query and fragment when it lies on this very site and is worth coming back to, else `null`. */
export const safePath = (path: string): string | null => {
  if (!path.startsWith("/") || !URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  // "//evil.example", "/\\evil.example" and "/\t/evil.example" all resolve to another host.
  if (url.origin !== base || url.pathname.startsWith("//") || hiddenFrom.includes(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
};
