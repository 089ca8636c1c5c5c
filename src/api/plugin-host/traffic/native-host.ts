import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { Services } from "#api/core/context.ts";
import { networkOf } from "#api/core/network-of.ts";
import type { RouteTable } from "#api/http/route-table.ts";
import { spanOf } from "#contract/networks.ts";
import type { NativeHost } from "#plugins/sdk/native-types.ts";
import { createRangeIndex } from "../guard/address-ranges.ts";
import type { CountryOf } from "../guard/compile-rules.ts";

/** What the application tells about itself once it is put together. */
export type AppFacts = {
  routes(): Pick<RouteTable["all"][number], "method" | "template" | "access" | "plugin">[];
  pageFiles(path: string): { scripts: string[]; styles: string[] };
};

export type NativeHostOptions = Pick<Services, "appUrl" | "settings"> & {
  /** Not the one that counts calls for the core: a plugin's keys must not crowd out those. */
  limiter: RateLimiter;
  countryOf: CountryOf | null;
  app: AppFacts;
};

/** What a plugin inside the server may ask it for. */
export const createNativeHost =
  ({ appUrl, settings, limiter, countryOf, app }: NativeHostOptions) =>
  (plugin: string): Omit<NativeHost, "manageCore"> => ({
    appUrl,
    coreLimit: () => {
      const { windowMs, maxRequests, message, skipAdminRoutes, skipPluginRoutes } =
        settings.current.core.rateLimiting;
      return { windowMs, maxRequests, message, skipAdminRoutes, skipPluginRoutes };
    },
    takeRate: (key, rule) => limiter.take(`${plugin}\n${key}`, rule),
    networkOf,
    knowsCountries: countryOf !== null,
    countryOf: (ip) => countryOf?.(ip) ?? null,
    addressTest: (ranges) =>
      createRangeIndex(
        ranges.map((range) => {
          const span = spanOf(range);
          if (span === null) throw new TypeError(`"${range.slice(0, 60)}" is no address and no CIDR range`);
          return span;
        }),
      ),
    routes: () =>
      app.routes().map(({ method, template, access, plugin: owner }) => ({
        ...{ method, path: template, access, plugin: owner },
      })),
    pageFiles: (path) => app.pageFiles(path),
  });
