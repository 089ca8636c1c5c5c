import type { Exchange, Route } from "#api/door/exchange.ts";
import { hasSessionCookie } from "./call-cookies.ts";
import { createOriginRule, type OriginClass } from "./origin.ts";

const safeMethods = new Set(["GET", "HEAD"]);

/** Whether a method only reads, unless a route says otherwise. Source: RFC 9110 §9.2.1. */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/** Whether a call changes something, or is allowed to. */
export const isChange = (method: string, route: Route): boolean => originClassOf(method, route) !== "safe";

/** A test whether a call may have been set off by another site, in the name of whom the cookie belongs to. */
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
