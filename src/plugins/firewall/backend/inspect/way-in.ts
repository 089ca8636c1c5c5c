/** Where people sign in, and where they are told whether they are. */
export const signInPaths: readonly string[] = [
  "/login",
  "/api/auth/login",
  "/api/auth/login/factor",
  "/api/auth/user",
];

/**
 * Whether a request is on the way to signing in: whoever is an admin gets there whatever was counted, and is known after it.
 * Guessing passwords has bounds of its own. The server says the same of rules of other plugins.
 */
export const isWayIn = (path: string): boolean => signInPaths.includes(path) || path.startsWith("/assets/");

const plainAsset = /^\/assets(?:\/\w[\w-]*(?:\.[\w-]+)*)+$/;

/**
 * Whether a request is one that a browser makes by itself on the way to signing in. Whose session has ended is known to
 * nobody there: what the browser adds on its own must not keep them out.
 */
export const isBrowsersWayIn = ({ method, path }: { method: string; path: string }): boolean => {
  if (path === "/api/auth/login" || path === "/api/auth/login/factor") return method === "POST";
  if (method !== "GET" && method !== "HEAD") return false;
  return path === "/login" || path === "/api/auth/user" || plainAsset.test(path);
};

const firewallPaths = ["/admin/firewall", "/admin/plugins/firewall", "/api/firewall", "/api/plugins"];

/** Whether a request is for the firewall's own pages, their files or calls: signed-in admins get there however often. */
export const isFirewallPage = (path: string): boolean =>
  firewallPaths.some((own) => path === own || path.startsWith(`${own}/`));

const simpleMethods = new Set(["GET", "HEAD", "POST"]);

/**
 * Whether the page of another site may have made a request in the name of somebody who knows nothing of it. Whoever claims
 * so without need is stopped all the same.
 */
export const isFromOtherSite = ({ method, headers }: { method: string; headers: Headers }): boolean =>
  simpleMethods.has(method) && headers.get("sec-fetch-site") === "cross-site";
