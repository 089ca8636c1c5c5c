import { oneOf } from "../list-filters.ts";
import { type PluginShow, pluginShows } from "./plugin-status.ts";

/** The two lists of the page. */
export const pluginTabs = ["plugins", "keys"] as const;
export type PluginTab = (typeof pluginTabs)[number];

/** What the page shows; lives in the address bar. */
export type PluginQuery = { tab: PluginTab; show: PluginShow };

/** Reads what is to be shown from the address; what makes no sense counts as not given. */
export const readPluginQuery = (params: URLSearchParams): PluginQuery => ({
  tab: oneOf(pluginTabs, params.get("tab")) ?? "plugins",
  show: oneOf(pluginShows, params.get("show")) ?? "total",
});

/** The page's address for a query; what is at its default is left out. */
export const pluginAddress = ({ tab = "plugins", show = "total" }: Partial<PluginQuery>): string => {
  const params = new URLSearchParams();
  if (tab !== "plugins") params.set("tab", tab);
  if (show !== "total") params.set("show", show);
  return params.size > 0 ? `/admin/plugins?${params}` : "/admin/plugins";
};
