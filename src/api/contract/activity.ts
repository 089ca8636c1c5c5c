/** What an activity can be about. */
export const activityTypes = [
  "plugin_installed",
  "plugin_updated",
  "plugin_removed",
  "plugin_enabled",
  "plugin_disabled",
  "plugin_hot_reloaded",
  "plugin_failed",
  "plugin_recovered",
  "permission_granted",
  "permission_revoked",
  "signature_verified",
  "signature_failed",
  "api_call",
  "network_request",
  "file_read",
  "file_write",
  "admin_action",
  "configuration_changed",
  "permission_violation",
  "suspicious_activity",
  "health_check_failed",
] as const;
export type ActivityType = (typeof activityTypes)[number];

/** How it went. */
export const activityStatuses = ["success", "failure", "warning", "info"] as const;
export type ActivityStatus = (typeof activityStatuses)[number];

/** How much it matters, from little to much. */
export const activitySeverities = ["low", "medium", "high", "critical"] as const;
export type ActivitySeverity = (typeof activitySeverities)[number];

/** Who did it. A visitor is someone who was not signed in; the system is Atrium by itself. */
export const actorKinds = ["user", "operator", "token", "plugin", "system", "visitor"] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The name under which activities of Atrium itself stand; no plugin can have it. */
export const coreName = "core";

/** The filters that are exact matches. */
export const activityFilterNames = ["type", "pluginName", "status", "severity", "actorKind"] as const;

/** Whether an activity counts for the tile of security events. */
export const isSecurityEvent = ({
  type,
  severity,
}: {
  type: ActivityType;
  severity: ActivitySeverity;
}): boolean => severity === "critical" || type.includes("security") || type.includes("permission");

/** A duration in words: under a second in ms, else in seconds with two decimals; `N/A` when absent. */
export const formatDuration = (durationMs: number | null): string => {
  if (durationMs === null) return "N/A";
  return durationMs < 1_000 ? `${durationMs}ms` : `${(durationMs / 1_000).toFixed(2)}s`;
};

/** The sizes of a page of the table; 25 unless chosen. */
export const activityPageSizes = [10, 25, 50, 100] as const;

/** How often the page looks again while auto-refresh is on and no stream is up. */
export const activityRefreshMs = 30_000;

/** What clean-up removes unless told otherwise, and the bounds of its choice, in days. */
export const cleanupDays = { default: 90, least: 1, most: 3_650 } as const;

/** How many matches of a text search are looked at for total and stats. */
export const searchedRows = 1_000;

/** A search of one or two letters looks at this many of the newest rows. */
export const shortSearchRows = 10_000;

/** Of how many letters on a search is answered from all rows. */
export const longSearchLength = 3;
