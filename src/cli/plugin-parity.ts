/**
 * One action on the page of a plugin that is part of Atrium, and the command that makes its call: one of the plugin's own, or
 * `api`, which makes any. With `why`, `command` does the same in another way.
 */
export type PluginParityRow = { action: string; call: string; command: string; why?: string };

const sameSwitches = "the plugin's settings are the same switches";

/**
 * Every action of the pages of licensing, firewall and web performance, with the command that the plugin's manifest has for it. A
 * test holds it to the manifests and to the plugins' routes for administrators; docs/cli-actions.md shows it.
 */
export const pluginParity: readonly PluginParityRow[] = [
  { action: "Show the license", call: "GET /api/licensing/licence", command: "license show" },
  { action: "Enter a license key", call: "PUT /api/licensing/licence", command: "license set" },
  { action: "Remove the license key", call: "DELETE /api/licensing/licence", command: "license remove" },
  { action: "Show the firewall's status", call: "GET /api/firewall/status", command: "firewall status" },
  { action: "Turn the firewall on", call: "POST /api/firewall/on", command: "firewall on" },
  { action: "Turn the firewall off", call: "POST /api/firewall/off", command: "firewall off" },
  {
    action: "Show the firewall's switches",
    call: "GET /api/firewall/config",
    command: "plugin settings get",
    why: sameSwitches,
  },
  {
    action: "Change the firewall's switches",
    call: "PUT /api/firewall/config",
    command: "plugin settings set",
    why: sameSwitches,
  },
  { action: "Confirm a pending change", call: "POST /api/firewall/confirm", command: "api" },
  {
    action: "Revert a pending change",
    call: "POST /api/firewall/revert",
    command: "api",
  },
  {
    action: "Restore damaged rules from the active ones",
    call: "POST /api/firewall/rules/restore",
    command: "firewall restore",
  },
  { action: "List IP addresses", call: "GET /api/firewall/addresses", command: "firewall list" },
  { action: "Allow an IP address", call: "POST /api/firewall/addresses", command: "firewall allow" },
  { action: "Deny an IP address", call: "POST /api/firewall/addresses", command: "firewall deny" },
  {
    action: "Change an entry of the IP lists",
    call: "PUT /api/firewall/addresses/:id",
    command: "api",
  },
  {
    action: "Remove an IP address from the lists",
    call: "POST /api/firewall/addresses/remove",
    command: "firewall remove",
  },
  {
    action: "Remove several entries from the lists",
    call: "POST /api/firewall/addresses/delete",
    command: "api",
  },
  {
    action: "Export the lists",
    call: "GET /api/firewall/addresses/export",
    command: "api",
  },
  {
    action: "Import a list",
    call: "POST /api/firewall/addresses/import",
    command: "api",
  },
  { action: "Show the country rules", call: "GET /api/firewall/countries", command: "api" },
  { action: "Change the country rules", call: "PUT /api/firewall/countries", command: "api" },
  { action: "List rate rules", call: "GET /api/firewall/rates", command: "api" },
  { action: "Add a rate rule", call: "POST /api/firewall/rates", command: "api" },
  { action: "Change a rate rule", call: "PUT /api/firewall/rates/:id", command: "api" },
  { action: "Remove a rate rule", call: "DELETE /api/firewall/rates/:id", command: "api" },
  { action: "List attack patterns", call: "GET /api/firewall/patterns", command: "api" },
  {
    action: "Enable or disable an attack pattern",
    call: "PUT /api/firewall/patterns/:id",
    command: "api",
  },
  {
    action: "Disable several attack patterns",
    call: "PUT /api/firewall/patterns",
    command: "api",
  },
  { action: "List exemptions", call: "GET /api/firewall/exemptions", command: "api" },
  { action: "Add an exemption", call: "POST /api/firewall/exemptions", command: "api" },
  { action: "Change an exemption", call: "PUT /api/firewall/exemptions/:id", command: "api" },
  {
    action: "Remove an exemption",
    call: "DELETE /api/firewall/exemptions/:id",
    command: "api",
  },
  {
    action: "List proposed exemptions",
    call: "GET /api/firewall/proposals",
    command: "firewall proposals",
  },
  {
    action: "Accept a proposed exemption",
    call: "POST /api/firewall/proposals/:id/accept",
    command: "firewall accept",
  },
  {
    action: "List the firewall's changes",
    call: "GET /api/firewall/history",
    command: "firewall history",
  },
  {
    action: "Revert a change to the firewall",
    call: "POST /api/firewall/history/:id/revert",
    command: "firewall revert",
  },
  { action: "List bans", call: "GET /api/firewall/bans", command: "firewall bans" },
  {
    action: "Ban an IP address",
    call: "POST /api/firewall/bans",
    command: "firewall deny",
    why: "with --for it denies an IP address temporarily",
  },
  { action: "Lift a ban", call: "POST /api/firewall/bans/lift", command: "firewall lift" },
  {
    action: "Lift all bans",
    call: "DELETE /api/firewall/bans",
    command: "api",
  },
  {
    action: "Explain why a request was blocked",
    call: "GET /api/firewall/explain/:id",
    command: "firewall explain",
  },
  { action: "List blocked requests", call: "GET /api/firewall/journal", command: "api" },
  { action: "Watch live traffic", call: "GET /api/firewall/traffic", command: "api" },
  {
    action: "Show requests per minute",
    call: "GET /api/firewall/traffic/minutes",
    command: "api",
  },
  {
    action: "Replay requests with other rules",
    call: "POST /api/firewall/replay",
    command: "api",
  },
  { action: "Follow a replay", call: "GET /api/firewall/replay/:id", command: "api" },
  { action: "Cancel a replay", call: "DELETE /api/firewall/replay/:id", command: "api" },
  {
    action: "Show page speed for visitors",
    call: "GET /api/web-performance-optimization/figures",
    command: "performance show",
  },
  {
    action: "Show page speed with all details",
    call: "GET /api/web-performance-optimization/summary",
    command: "performance show",
    why: "the same figures for the chosen days",
  },
  {
    action: "Show the performance switches",
    call: "GET /api/web-performance-optimization/switches",
    command: "plugin settings get",
    why: sameSwitches,
  },
  {
    action: "Change a performance switch",
    call: "PUT /api/web-performance-optimization/switches/:name",
    command: "plugin settings set",
    why: sameSwitches,
  },
  {
    action: "Show the last measurement",
    call: "GET /api/web-performance-optimization/report",
    command: "performance report",
  },
  {
    action: "Measure the effect of the switches",
    call: "POST /api/web-performance-optimization/report",
    command: "performance measure",
  },
  {
    action: "Stop the measurement",
    call: "DELETE /api/web-performance-optimization/report",
    command: "api",
  },
  {
    action: "Show the response cache",
    call: "GET /api/web-performance-optimization/cache",
    command: "api",
  },
  {
    action: "Clear the response cache",
    call: "POST /api/web-performance-optimization/cache/purge",
    command: "performance purge",
  },
];
