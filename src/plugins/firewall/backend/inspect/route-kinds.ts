import type { ArrivingRequest, NativeHost } from "#plugins/sdk/native-types.ts";

/** What a call leads to, as far as limits ask: what only admins may call, what is a plugin's, or anything else. */
export type RouteKind = { isAdminOnly: boolean; isPlugin: boolean };

const other: RouteKind = { isAdminOnly: false, isPlugin: false };
const refreshMs = 1_000;

/** Tells the kinds of routes; those of plugins come and go, so that what is not known is looked up again, once a second. */
export const createRouteKinds = (host: Pick<NativeHost, "routes">, now: () => number) => {
  let kinds = new Map<string, RouteKind>();
  let readAt = Number.NEGATIVE_INFINITY;

  const read = (): void => {
    readAt = now();
    kinds = new Map(
      host.routes().map(({ method, path, access, plugin }) => [
        `${method} ${path}`,
        {
          isAdminOnly: access === "admin" || access === "operator",
          isPlugin: plugin !== null || /^\/api\/plugin(?:s|-host)(?:\/|$)/.test(path),
        },
      ]),
    );
  };

  return ({ method, route }: Pick<ArrivingRequest, "method" | "route">): RouteKind => {
    if (route === null) return other;
    const key = `${method === "HEAD" ? "GET" : method} ${route}`;
    if (!kinds.has(key) && now() - readAt >= refreshMs) read();
    return kinds.get(key) ?? other;
  };
};

const sessionCookie = /(?:^|;\s*)(?:__Host-)?sid=/;

/** Whether a request says who makes it; whether that is true, a look-up has to tell. */
export const hasCredentials = (headers: Headers): boolean =>
  headers.has("authorization") || sessionCookie.test(headers.get("cookie") ?? "");
