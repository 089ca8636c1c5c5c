import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { StorageState } from "#contract/settings.ts";

const since = "2026-11-20T18:40:12.000Z";
const unused = { state: "unused", server: null, source: null, since, reason: null } as const;

/** Files in the database, and no bucket. */
export const noBucket: StorageState = {
  ...unused,
  home: "database",
  inDatabase: 3,
  inR2: 0,
  migration: null,
};

/** The answer of `GET /api/system/status` about an installation that uses nothing from outside. */
export const plainStatus: SystemStatus = {
  firewall: {
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
  },
  redis: unused,
  storage: noBucket,
  limiter: { isEnabled: true, store: "memory" },
  cors: { origins: [] },
  isSafeMode: false,
  visitor: {
    ...{ ip: "local", peer: "local", isBehindTrustedProxy: false, trustedProxies: ["loopback"] },
    ...{ warning: null, newestVisitor: null },
  },
};

/** A service that is in use. */
export const inUse = {
  ...unused,
  state: "up",
  server: "cache.example:6379",
  source: "settings",
} as const;
