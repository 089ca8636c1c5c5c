import type { FirewallDesk } from "#api/core/settings.ts";

/** No firewall is installed: the plugin that brings one says otherwise. */
export const absentFirewall: FirewallDesk = {
  status: () => ({
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  }),
};
