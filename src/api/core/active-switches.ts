import type { RateLimitSettings } from "#contract/core-settings.ts";
import type { Services } from "./context.ts";

/** What decides about requests at this moment: the admins' settings, as far as the firewall leaves them to them. */
export type ActiveSwitches = {
  /** Whether `X-Forwarded-For` of trusted proxies gives the client's address. */
  trustProxy: boolean;
  /** Whether answers carry the headers that harden browsers. */
  helmetEnabled: boolean;
  /** Whether listed origins may read answers. */
  corsEnabled: boolean;
  /** The core's own limit on calls; `null` while it is off, or while the firewall counts instead: never do two. */
  limit: RateLimitSettings | null;
  /** While plugins' routes are left out of it, what visitors above their own bound there are told; `null` otherwise. */
  pluginRoutesSkipped: Pick<RateLimitSettings, "message"> | null;
};

/** Reads settings and firewall each time, so that a change applies from the next request on. */
export const activeSwitches = ({
  settings,
  firewall,
}: Pick<Services, "settings" | "firewall">): ActiveSwitches => {
  const { rateLimiting, security } = settings.current.core;
  const { manager } = firewall;
  const isManaged = manager?.isManaging === true;
  const isCountedElsewhere = isManaged && manager.isCounting;
  return {
    trustProxy: isManaged || security.trustProxy,
    helmetEnabled: security.helmetEnabled,
    corsEnabled: isManaged || security.corsEnabled,
    limit: rateLimiting.enabled && !isCountedElsewhere ? rateLimiting : null,
    pluginRoutesSkipped:
      (rateLimiting.enabled || isCountedElsewhere) && rateLimiting.skipPluginRoutes ? rateLimiting : null,
  };
};
