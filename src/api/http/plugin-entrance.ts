import type { Route } from "#api/door/exchange.ts";
import { type AssetSource, noAssets } from "#api/plugin-host/assets/asset-source.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { CountryOf } from "#api/plugin-host/guard/compile-rules.ts";
import type { Guard } from "#api/plugin-host/guard/guard.ts";
import type { AppFacts } from "#api/plugin-host/native/native-host.ts";
import { noTraffic, type Traffic } from "#api/plugin-host/native/traffic.ts";
import type { RouteTable } from "./route-table.ts";

/** What plugins add to the ways in. */
export type PluginEntrance = {
  /** Asked for paths that the application does not have. */
  routes: Pick<RouteTable, "find"> & { all(): Route[] };
  guard: Pick<Guard, "isIdle" | "hasUserRules" | "check" | "checkUser">;
  /** Plugins that look at requests and work on answers. */
  traffic: Traffic;
  /** Tells countries of addresses; `null` where nothing can. */
  countryOf: CountryOf | null;
  /** Files of plugins' frontends. */
  assets: AssetSource;
  /** The routes of those that run now, as the description of the API has them. */
  describe(): OpenApiPaths;
  /** Hears of the application once it is put together. */
  meet(app: AppFacts): void;
};

const noPaths: OpenApiPaths = {};

/** Where there are no plugins. */
export const noPlugins: PluginEntrance = {
  routes: { find: () => null, all: () => [] },
  guard: { isIdle: true, hasUserRules: false, check: () => null, checkUser: () => null },
  traffic: noTraffic,
  countryOf: null,
  assets: noAssets,
  describe: () => noPaths,
  meet: () => {},
};
