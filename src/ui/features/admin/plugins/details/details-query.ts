import type { PluginDetails } from "#contract/plugins.ts";
import { oneOf } from "../../list-filters.ts";

/** The parts of a plugin's page. */
export const detailsTabs = [
  "page",
  "overview",
  "settings",
  "permissions",
  "versions",
  "log",
  "data",
] as const;
export type DetailsTab = (typeof detailsTabs)[number];

/** The parts that a plugin has: its own page first, if there is one, and settings only where it has any. */
export const tabsOf = ({ frontend, hasSettings }: PluginDetails): DetailsTab[] =>
  detailsTabs.filter((tab) => {
    if (tab === "page") return frontend !== null;
    return tab === "settings" ? hasSettings : true;
  });

/** The part that the address asks for; the first one where it asks for none, or for one that is not there. */
export const tabAt = (tabs: readonly DetailsTab[], params: URLSearchParams): DetailsTab =>
  oneOf(tabs, params.get("tab")) ?? tabs[0] ?? "overview";

/** The address of a part. */
export const tabAddress = (name: string, tab: DetailsTab, tabs: readonly DetailsTab[]): string =>
  tab === tabs[0] ? `/admin/plugins/${name}` : `/admin/plugins/${name}?tab=${tab}`;
