import type { Plugin, PluginState } from "#contract/plugins.ts";
import { addressQuery, choice } from "#ui/lib/address-query.ts";

/** How a plugin is listed: nothing of it is there, or it is off or on. */
type PluginStatus = "missing" | "disabled" | "enabled";

/** The status of a plugin whose switch stands at `isOn`. */
export const statusOf = ({ backendExists, frontendExists }: Plugin, isOn: boolean): PluginStatus => {
  if (!backendExists && !frontendExists) return "missing";
  return isOn ? "enabled" : "disabled";
};

/** A state that is worth telling beside the status; what runs as it should, or is off, is told by the status alone. */
type NotableState = Exclude<PluginState, "disabled" | "running">;

/** The plugin's state if it is worth telling. */
export const notableState = ({ state }: Plugin): NotableState | null =>
  state === "disabled" || state === "running" ? null : state;

/** Whether its state is about to change. */
export const isOnItsWay = ({ state }: Plugin): boolean =>
  state === "starting" || state === "reloading" || state === "stopping";

/** Whether it stopped by a failure, and waits for someone to try it again. */
export const hasFailed = ({ state }: Plugin): boolean => state === "failed" || state === "quarantined";

/** Whether it is off because it could not start when someone last enabled it; `error` says why. */
export const couldNotStart = ({ state, enabled, error, pendingVersion }: Plugin): boolean =>
  state === "disabled" && !enabled && error !== null && pendingVersion === null;

/** What can be shown of the list alone. */
export const pluginShows = ["total", "enabled", "disabled", "core"] as const;
export type PluginShow = (typeof pluginShows)[number];

/** Whether a plugin is among those that a counter counts. */
export const isAmong = (show: PluginShow, plugin: Plugin): boolean => {
  if (show === "total") return true;
  if (show === "core") return plugin.core;
  return plugin.enabled === (show === "enabled");
};

/** What the page shows; lives in the address bar. */
export const pluginQuery = addressQuery({
  tab: choice(["plugins", "keys"], "plugins"),
  show: choice(pluginShows, "total"),
});
type PluginQuery = ReturnType<typeof pluginQuery.read>;

/** The page's address for a query; what is at its default is left out. */
export const pluginAddress = ({ tab = "plugins", show = "total" }: Partial<PluginQuery>): string => {
  const params = pluginQuery.write({ tab, show });
  return params.size > 0 ? `/admin/plugins?${params}` : "/admin/plugins";
};

/** Words of the page that lists the plugins. */
export const pluginListTexts = {
  title: "Plugin Management",
  lead: "Extensions to this server, and who published them.",
  which: "Plugins or keys",
  tabs: { plugins: "Plugins", keys: "Trusted keys" },
  refresh: "Refresh",
  upload: "Upload Plugin",
  counters: "Plugins by type",
  counted: { total: "Total", enabled: "Enabled", disabled: "Disabled", core: "Core" },
  licensing: "About licensing",
  licensingText:
    "Some plugins depend on the licensing plugin and can only be enabled while it is enabled. Disabling licensing disables the plugins that depend on it, so it cannot be switched off here.",
  columns: {
    plugin: "Plugin",
    status: "Status",
    type: "Type",
    dependencies: "Dependencies",
    components: "Components",
    actions: "Actions",
  },
  version: (version: string) => `v${version}`,
  core: "Core",
  noDependencies: "None",
  components: { backend: "Backend", frontend: "Frontend" },
  noComponents: "None",
  statuses: { missing: "Not Installed", disabled: "Disabled", enabled: "Enabled" },
  states: {
    starting: "Starting",
    reloading: "Reloading",
    stopping: "Stopping",
    failed: "Failed",
    quarantined: "Quarantined",
  },
  couldNotStart: "Could not start",
  modified: "Modified",
  pending: (version: string) => `Version ${version} is waiting`,
  review: (title: string, version: string) => `Version ${version} is waiting: review ${title}`,
  failedText: "It stopped working.",
  tryAgain: "Try again",
  tryAgainName: (title: string) => `Try again: ${title}`,
  toggle: (title: string) => `Enable ${title}`,
  licensingLocked: "Licensing cannot be switched off here while it is enabled",
  missingLocked: "It has nothing to enable",
  download: (title: string) => `Download ${title}`,
  remove: (title: string) => `Delete ${title}`,
  coreLocked: "Core plugins cannot be deleted",
  toggleFailed: "Error toggling plugin",
  downloadFailed: "Error downloading plugin",
  downloaded: (name: string) => `Plugin ${name} downloaded successfully`,
  loading: "Loading plugins",
  none: "No plugins yet",
  noneText:
    "A plugin adds pages, routes and jobs to this server and can only do what you allow. Plugins come as .zip files from their authors, or you can write your own.",
  guide: "To write one, start in a terminal:",
  guideCommand: "atrium plugin create my-plugin",
  noMatch: "No plugins match these filters",
  showAll: "Show all plugins",
  drop: "Drop the package to upload it",
} as const;
