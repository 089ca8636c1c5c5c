import type { FirewallStatus } from "#contract/settings.ts";

/** How the firewall is, as far as the settings are concerned. */
export type FirewallState = "absent" | "disabled" | "masterOff" | "limitingOff" | "on";

/** The firewall's state; one that cannot be asked (`null`) counts as disabled. */
export const firewallState = (firewall: FirewallStatus | null): FirewallState => {
  if (firewall === null) return "disabled";
  const { installed, enabled, masterSwitchEnabled, rateLimitingEnabled } = firewall;
  if (!installed) return "absent";
  if (!enabled) return "disabled";
  if (!masterSwitchEnabled) return "masterOff";
  return rateLimitingEnabled ? "on" : "limitingOff";
};
