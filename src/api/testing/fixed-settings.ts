import type { OidcProvider } from "#api/core/providers.ts";
import type {
  BucketTarget,
  ConnectionTests,
  FirewallProbe,
  ServiceStates,
  SettingsService,
} from "#api/core/settings.ts";
import {
  type AccountSettings,
  accountSettings,
  type CoreSettings,
  coreSettings,
} from "#contract/core-settings.ts";
import type { FirewallStatus, ServiceState } from "#contract/settings.ts";
import { type SiteSettings, siteSettings } from "#contract/site-settings.ts";

/** Settings that a test sets itself, and that are told to whoever listens. */
export type FixedSettings = SettingsService & {
  setCore(core: CoreSettings): void;
  setAccounts(accounts: AccountSettings): void;
  setSite(site: SiteSettings): void;
  setBucket(bucket: BucketTarget | null): void;
  setProviders(providers: readonly OidcProvider[]): void;
};

/** The defaults with the limit on requests off: thousands of calls of a test are no attack. */
export const unlimitedCore: CoreSettings = {
  ...coreSettings.defaults,
  rateLimiting: { ...coreSettings.defaults.rateLimiting, enabled: false },
};

/** The defaults with sessions of admins that last as long as can be set: the clocks of tests jump. */
const lastingAccounts: AccountSettings = {
  ...accountSettings.defaults,
  adminIdleMinutes: 1_440,
  adminSessionHours: 168,
};

/** Settings without a database behind them. */
export const createFixedSettings = (core: CoreSettings = unlimitedCore): FixedSettings => {
  const subscribers = new Set<Parameters<SettingsService["subscribe"]>>();
  let current: SettingsService["current"] = {
    ...{ generation: 0, core, accounts: lastingAccounts, redis: null, bucket: null, providers: [] },
    features: { values: {}, secrets: {} },
    site: siteSettings.defaults,
    fixedSite: {},
    locked: { redis: null, bucket: null },
  };
  const change = (fields: Partial<SettingsService["current"]>): void => {
    current = { ...current, ...fields, generation: current.generation + 1 };
    for (const [parts, listener] of subscribers) if (parts.some((part) => part in fields)) listener(current);
  };
  return {
    get current() {
      return current;
    },
    refresh: async () => {},
    use: () => {},
    subscribe: (...subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    setCore: (next) => change({ core: next }),
    setAccounts: (accounts) => change({ accounts }),
    setSite: (site) => change({ site }),
    setBucket: (bucket) => change({ bucket }),
    setProviders: (providers) => change({ providers }),
  };
};

/** A firewall that says what it is told to: by default that there is none. */
export const createFixedFirewall = (told: Partial<FirewallStatus> = {}): FirewallProbe => {
  const status = () => ({
    installed: false,
    enabled: false,
    masterSwitchEnabled: false,
    rateLimitingEnabled: false,
    developmentModeEnabled: false,
    ...told,
  });
  return {
    status,
    get manager() {
      const {
        installed,
        enabled,
        masterSwitchEnabled: isManaging,
        rateLimitingEnabled: isCounting,
      } = status();
      return installed && enabled ? { isManaging, isCounting } : null;
    },
  };
};

const unused = (): ServiceState => ({
  state: "unused",
  server: null,
  source: null,
  since: new Date(0).toISOString(),
  reason: null,
});

/** Services that no one has set up. */
export const noServices: ServiceStates = {
  redis: unused,
  storage: async () => ({ ...unused(), home: "database", inDatabase: 0, inR2: 0, migration: null }),
};

const untested = async () => ({ isWorking: false, summary: "not tried", details: "", steps: [] });

const works = async () => ({
  isWorking: true,
  summary: "It works",
  details: "",
  steps: [{ name: "Connect", status: "passed" as const, message: "connected" }],
});

/** Connection tests of a world in which everything works. */
export const workingConnectionTests: ConnectionTests = {
  ...{ redis: works, bucket: works, rateLimiter: works, provider: works },
};

/** Connection tests of a world in which nothing can be reached. */
export const noConnectionTests: ConnectionTests = {
  redis: untested,
  bucket: untested,
  rateLimiter: untested,
  provider: untested,
};
