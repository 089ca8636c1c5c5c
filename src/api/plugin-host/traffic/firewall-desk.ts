import type { FirewallDesk } from "#api/core/settings.ts";
import { coreManagerName } from "../native/native-extras.ts";
import type { OpenTraffic } from "./traffic.ts";

/** The firewall as the core knows it: installed or not by what is stored, the rest by what the running plugin says. */
export const createFirewallDesk = (
  traffic: Pick<OpenTraffic, "coreManager">,
): FirewallDesk & { know(desired: readonly { name: string }[]): void } => {
  let isInstalled = false;
  return {
    know: (desired) => {
      isInstalled = desired.some(({ name }) => name === coreManagerName);
    },
    status: () => {
      const manager = traffic.coreManager;
      if (manager === null) return isInstalled ? installed : absent;
      return {
        installed: true,
        enabled: true,
        masterSwitchEnabled: manager.isManaging,
        rateLimitingEnabled: manager.isCounting,
        developmentModeEnabled: manager.isDevelopment,
      };
    },
  };
};

const off = {
  enabled: false,
  masterSwitchEnabled: false,
  rateLimitingEnabled: false,
  developmentModeEnabled: false,
};
const absent = { installed: false, ...off };
const installed = { installed: true, ...off };
