import type { FirewallProbe } from "#api/core/settings.ts";
import type { CoreManager, RequestInspector, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type { NativeExtras } from "../runtime.ts";
import { coreManagerName } from "./native-host.ts";

/** A plugin's request inspector or response shaper. */
type Owned<T> = { plugin: string; of: T };

/** What plugins inside the server do with requests and responses. */
export type Traffic = {
  /** The current inspectors, in the order in which they are called. */
  readonly inspectors: readonly Owned<RequestInspector>[];
  /** The current shapers. */
  readonly shapers: readonly Owned<ResponseShaper>[];
  /** Whether there is anything to call: otherwise, requests cost nothing here. */
  readonly isWatched: boolean;
  readonly isShaped: boolean;
  /** A hook of a plugin threw, or took too long. */
  failed(plugin: string, reason: string): void;
};

/** The traffic, with the functions that change its hooks. */
export type OpenTraffic = Traffic & {
  set(plugin: string, extras: Pick<NativeExtras, "inspector" | "shaper" | "coreManager">): void;
  remove(plugin: string): void;
  /** Who manages the core's limits and switches; `null` if no plugin does. */
  readonly coreManager: CoreManager | null;
};

/** No hooks. */
export const noTraffic: Traffic = {
  ...{ inspectors: [], shapers: [], isWatched: false, isShaped: false },
  failed: () => {},
};

/** Traffic without hooks. */
export const createTraffic = (failed: Traffic["failed"]): OpenTraffic => {
  let inspectors: readonly Owned<RequestInspector>[] = [];
  let shapers: readonly Owned<ResponseShaper>[] = [];
  let managers: readonly Owned<CoreManager>[] = [];

  const remove = (plugin: string): void => {
    const isOthers = (owned: { plugin: string }): boolean => owned.plugin !== plugin;
    inspectors = inspectors.filter(isOthers);
    shapers = shapers.filter(isOthers);
    managers = managers.filter(isOthers);
  };

  return {
    get inspectors() {
      return inspectors;
    },
    get shapers() {
      return shapers;
    },
    get isWatched() {
      return inspectors.some(({ of }) => !of.isIdle);
    },
    get isShaped() {
      return shapers.some(({ of }) => !of.isIdle);
    },
    get coreManager() {
      return managers[0]?.of ?? null;
    },
    failed,
    set: (plugin, { inspector, shaper, coreManager }) => {
      remove(plugin);
      if (inspector !== null) inspectors = [...inspectors, { plugin, of: inspector }];
      if (shaper !== null) shapers = [...shapers, { plugin, of: shaper }];
      if (coreManager !== null) managers = [...managers, { plugin, of: coreManager }];
    },
    remove,
  };
};

/** The firewall as the core sees it: whether it is installed is stored, the rest comes from the running plugin. */
export const createFirewallProbe = (
  traffic: Pick<OpenTraffic, "coreManager">,
): FirewallProbe & { know(desired: readonly { name: string }[]): void } => {
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
