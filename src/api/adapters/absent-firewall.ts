import type { FirewallProbe } from "#api/core/settings.ts";

/** No firewall is installed: the plugin that brings one says otherwise. */
export const absentFirewall: FirewallProbe = {
  status: () => ({
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  }),
};
