/** The page on which users change how they sign in. */
export const securityPage = "/account/security";

/** Addresses of the documentation and the description of the API: pages that are no part of the application. */
export const isBesidePage = (address: string): boolean => /^\/(?:docs|swagger)(?:[/?#]|$)/.test(address);

// What the server responds with itself.
const taken = /^\/(?:api|assets|docs|mcp|plugin-host|swagger)(?:\/|$)/;

/** What is wrong with a path that something else has. */
export const takenPath = "this address is taken";

/** Why no page of a feature that these readers may see can be at a path; `null` when one can. */
export const pagePathComplaint = (path: string, access: "public" | "user" | "admin"): string | null => {
  if (!/^(?:\/[a-z0-9-]+)+(?:\/\*)?$/.test(path)) return "use a to z, digits and hyphens between slashes";
  if (taken.test(path)) return takenPath;
  return access === "admin" || !/^\/admin(?:\/|$)/.test(path) ? null : "below /admin are pages for admins";
};

/** What stands at the end of a page's path that is one for all addresses below a folder. */
const anything = "/*";

// What is in no address of a page, such as dots and escapes, is none: files and tricks look like that.
const rest = /^[\w~-]+(?:\/[\w~-]+)*$/;

/** Whether an address is one of those that a page's path ending with `/*` stands for. */
export const isBelowPage = (address: string, page: string): boolean => {
  const folder = page.slice(0, -1);
  return page.endsWith(anything) && address.startsWith(folder) && rest.test(address.slice(folder.length));
};

// The sign-in pages themselves, and calls, which are no pages.
const hidden = /^\/(?:(?:login|register|setup)\/?$|api(?:\/|$))/;

// Far beyond any page of ours; whatever is longer was not made by one.
const mostLength = 1_000;

// A base that no address can name by chance: whatever resolves away from it leads to another site.
const base = "https://same-origin.invalid";

/** The path with query and fragment when it lies on this very site and is worth coming back to, else `null`. */
export const safePath = (path: string): string | null => {
  if (!path.startsWith("/") || path.length > mostLength || !URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  // "//evil.example", "/\\evil.example" and "/\t/evil.example" all resolve to another host.
  if (url.origin !== base || url.pathname.startsWith("//") || hidden.test(url.pathname)) return null;
  return url.pathname + url.search + url.hash;
};

/** The same, with the dashboard for whatever will not do. */
export const safePathOrDashboard = (path: string | null | undefined): string =>
  safePath(path ?? "") ?? "/dashboard";
