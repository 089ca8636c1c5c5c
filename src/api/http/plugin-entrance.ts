import { type AssetSource, noAssets } from "#api/plugin-host/assets/asset-source.ts";
import type { OpenApiPaths } from "#api/plugin-host/dispatch/open-api.ts";
import type { Guard } from "#api/plugin-host/guard/guard.ts";
import type { RouteTable } from "./route-table.ts";

/** What plugins add to the ways in. */
export type PluginEntrance = {
  /** Asked for paths that the application does not have. */
  routes: Pick<RouteTable, "find">;
  guard: Pick<Guard, "isIdle" | "hasUserRules" | "check" | "checkUser">;
  /** Files of plugins' frontends. */
  assets: AssetSource;
  /** The routes of those that run now, as the description of the API has them. */
  describe(): OpenApiPaths;
};

/** Where there are no plugins. */
export const noPlugins: PluginEntrance = {
  routes: { find: () => null },
  guard: { isIdle: true, hasUserRules: false, check: () => null, checkUser: () => null },
  assets: noAssets,
  describe: () => ({}),
};
