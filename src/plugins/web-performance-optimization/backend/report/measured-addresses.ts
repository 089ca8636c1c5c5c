import type { SwitchName } from "../wire.ts";

/** An address of the measurement, and how a visitor's browser asks for it. */
export type Address = { path: string; headers: Record<string, string> };

const asBrowser = { "accept-encoding": "gzip, deflate, br, zstd" };
const page = (path: string): Address => ({ path, headers: { ...asBrowser, accept: "text/html" } });
const call = (path: string): Address => ({ path, headers: { ...asBrowser, accept: "application/json" } });

const pages = ["/", "/about", "/contact", "/login"].map(page);
const description = call("/swagger/json");
const plugins = call("/api/plugins");

/** What is measured of a switch that changes answers; prefetching changes what browsers do, not what they get. */
export const measuredAddresses: Record<Exclude<SwitchName, "prefetch">, Address[]> = {
  compression: [page("/"), description, plugins],
  cacheLifetimes: pages,
  preloadHeaders: pages,
  responseCache: [...pages, description, plugins],
};

/** Calls count against the limit on requests: so they are repeated less often than pages. */
export const isCall = ({ path }: Address): boolean => path.startsWith("/api/") || path.startsWith("/swagger");
