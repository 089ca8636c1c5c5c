import type { Route } from "#api/door/exchange.ts";
import { type AssetSource, noAssets } from "#api/plugin-host/assets/asset-source.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { CountryOf } from "#api/plugin-host/guard/compile-rules.ts";
import type { Guard } from "#api/plugin-host/guard/guard.ts";
import { type AppFacts, noTraffic, type Traffic } from "#api/plugin-host/native/native-host.ts";
import type { RouteTable } from "./route-table.ts";

/** What plugins add to the pipeline. */
export type PluginEntrance = {
  /** Routes for paths that the application does not have. */
  routes: Pick<RouteTable, "find"> & { all(): Route[] };
  guard: Pick<Guard, "isIdle" | "hasUserRules" | "check" | "checkUser">;
  /** Plugins that inspect requests and change responses. */
  traffic: Traffic;
  /** Looks up the country of an address; `null` where no plugin can. */
  countryOf: CountryOf | null;
  /** Files of plugin frontends. */
  assets: AssetSource;
  /** The routes of running plugins, for the API's description. */
  describe(): OpenApiPaths;
  /** Called with the application once it is built. */
  meet(app: AppFacts): void;
};

const noPaths: OpenApiPaths = {};

/** For servers without plugins. */
export const noPlugins: PluginEntrance = {
  routes: { find: () => null, all: () => [] },
  guard: { isIdle: true, hasUserRules: false, check: () => null, checkUser: () => null },
  traffic: noTraffic,
  countryOf: null,
  assets: noAssets,
  describe: () => noPaths,
  meet: () => {},
};
