import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { networkOf } from "#api/core/circumstances.ts";
import type { Services } from "#api/core/context.ts";
import type { EventBus } from "#api/core/events.ts";
import type { FirewallProbe } from "#api/core/settings.ts";
import type { Writable } from "#api/core/writable.ts";
import type { RouteTable } from "#api/http/route-table.ts";
import { spanOf } from "#contract/endpoints.ts";
import type {
  CoreManager,
  NativeCtx,
  NativeHost,
  RequestInspector,
  ResponseShaper,
} from "#plugins/sdk/native-types.ts";
import { type CountryOf, createRangeIndex } from "../guard/compile-rules.ts";
import type { NativeExtras } from "../runtime.ts";

/** What the application provides once it is put together. */
export type AppFacts = {
  routes(): Pick<RouteTable["all"][number], "method" | "template" | "access" | "plugin">[];
  pageFiles(path: string): { scripts: string[]; styles: string[] };
};

type NativeHostOptions = Pick<Services, "appUrl" | "settings" | "events"> & {
  /** Separate from the core's request counter, so that a plugin's keys can't evict its keys. */
  limiter: RateLimiter;
  countryOf: CountryOf | null;
  app: AppFacts;
};

/** What a plugin registers with the host instead of only calling it. */
export type Registered = "manageCore" | "onSignal";

/** What a plugin inside the server can call. */
export const createNativeHost =
  ({ appUrl, settings, events, limiter, countryOf, app }: NativeHostOptions) =>
  (plugin: string): Omit<NativeHost, Registered> => ({
    appUrl,
    signal: (topic) => events.publish({ type: "plugin-signal", plugin, topic: topic.slice(0, 64) }),
    coreLimit: () => {
      const { windowMs, maxRequests, message, skipAdminRoutes, skipPluginRoutes } =
        settings.current.core.rateLimiting;
      return { windowMs, maxRequests, message, skipAdminRoutes, skipPluginRoutes };
    },
    get counting() {
      return limiter.store;
    },
    takeRate: (key, rule) => limiter.take(`${plugin}\n${key}`, rule),
    networkOf,
    knowsCountries: countryOf !== null,
    countryOf: (ip) => countryOf?.(ip) ?? null,
    addressTest: (ranges) =>
      createRangeIndex(
        ranges.map((range) => {
          const span = spanOf(range);
          if (span === null)
            throw new TypeError(`"${range.slice(0, 60)}" is neither an IP address nor a CIDR range`);
          return span;
        }),
      ),
    routes: () =>
      app.routes().map(({ method, template, access, plugin: owner }) => ({
        ...{ method, path: template, access, plugin: owner },
      })),
    pageFiles: (path) => app.pageFiles(path),
  });

/** What `ctx` also has for plugins inside the server, and what they register with it. */
type OpenExtras = {
  ctx: Pick<NativeCtx, "request" | "response" | "app" | "host">;
  /** What was registered; afterwards nothing can be added. */
  close(): NativeExtras;
};

/** The only plugin that can manage the core's limits and switches. */
export const coreManagerName = "firewall";

/** Creates it with nothing registered; `host` is what plugin `name` can call. */
export const createNativeExtras = (name: string, host: Omit<NativeHost, Registered>): OpenExtras => {
  const before: NativeExtras["before"][number][] = [];
  let mount: NativeExtras["mount"] = null;
  let inspector: RequestInspector | null = null;
  let shaper: ResponseShaper | null = null;
  let coreManager: CoreManager | null = null;
  let onSignal: NativeExtras["onSignal"] = null;
  let isOpen = true;

  const checkOpen = (): void => {
    if (!isOpen) throw new Error("Hooks and handlers can be added only while setup runs");
  };
  const checkFunction = (handler: unknown): void => {
    checkOpen();
    if (typeof handler !== "function") throw new TypeError("A handler must be a function");
  };
  const checkObject = (given: unknown, known: unknown, what: string): void => {
    checkOpen();
    if (typeof given !== "object" || given === null) throw new TypeError(`The ${what} must be an object`);
    if (known !== null) throw new Error(`A plugin has one ${what}`);
  };

  return {
    ctx: {
      request: Object.freeze({
        before: (hook: NativeExtras["before"][number]) => {
          checkFunction(hook);
          before.push(hook);
        },
        inspect: (given: RequestInspector) => {
          checkObject(given, inspector, "inspector");
          inspector = given;
        },
      }),
      response: Object.freeze({
        shape: (given: ResponseShaper) => {
          checkObject(given, shaper, "shaper");
          shaper = given;
        },
      }),
      app: Object.freeze({
        mount: (handler: NonNullable<NativeExtras["mount"]>) => {
          checkFunction(handler);
          if (mount !== null) throw new Error("A plugin mounts one handler");
          mount = handler;
        },
      }),
      host: Object.freeze({
        ...host,
        get knowsCountries() {
          return host.knowsCountries;
        },
        get counting() {
          return host.counting;
        },
        onSignal: (listener: NonNullable<typeof onSignal>) => {
          checkFunction(listener);
          if (onSignal !== null) throw new Error("A plugin has one listener for signals");
          onSignal = listener;
        },
        manageCore: (given: CoreManager) => {
          checkObject(given, coreManager, "manager of the core");
          if (name !== coreManagerName)
            throw new Error(`Only the plugin ${coreManagerName} can manage the core settings`);
          coreManager = given;
        },
      }),
    },
    close: () => {
      isOpen = false;
      return { before, mount, inspector, shaper, coreManager, onSignal };
    },
  };
};

/** A plugin's request inspector or response shaper. */
type Owned<T> = { plugin: string; of: T };

/** What plugins inside the server do with requests and responses. */
export type Traffic = {
  /** The current inspectors, in the order in which they are called; idle ones are not. */
  readonly inspectors: readonly Owned<RequestInspector>[];
  /** The current shapers. */
  readonly shapers: readonly Owned<ResponseShaper>[];
  /** A hook of a plugin threw, or took too long. */
  failed(plugin: string, reason: string): void;
};

/** The traffic, with the functions that change its hooks. */
export type OpenTraffic = Traffic & {
  set(plugin: string, extras: Pick<NativeExtras, "inspector" | "shaper">): void;
  remove(plugin: string): void;
};

/** No hooks. */
export const noTraffic: Traffic = { inspectors: [], shapers: [], failed: () => {} };

/** Traffic without hooks. */
export const createTraffic = (failed: Traffic["failed"]): OpenTraffic => {
  const remove = (plugin: string): void => {
    const isOthers = (owned: { plugin: string }): boolean => owned.plugin !== plugin;
    traffic.inspectors = traffic.inspectors.filter(isOthers);
    traffic.shapers = traffic.shapers.filter(isOthers);
  };
  const traffic: Writable<OpenTraffic> = {
    inspectors: [],
    shapers: [],
    failed,
    set: (plugin, { inspector, shaper }) => {
      remove(plugin);
      if (inspector !== null) traffic.inspectors = [...traffic.inspectors, { plugin, of: inspector }];
      if (shaper !== null) traffic.shapers = [...traffic.shapers, { plugin, of: shaper }];
    },
    remove,
  };
  return traffic;
};

/** The firewall as the core sees it, which hears of it from those who run plugins. */
export type OpenFirewallProbe = FirewallProbe & {
  /** Whether it is installed is stored. */
  know(desired: readonly { name: string }[]): void;
  /** The rest comes from what runs of that plugin; `null` when nothing does. Other plugins are passed over. */
  follow(plugin: string, manager: CoreManager | null): void;
  readonly manager: CoreManager | null;
};

/** No firewall is installed, until someone says otherwise. */
export const createFirewallProbe = (): OpenFirewallProbe => {
  let isInstalled = false;
  const probe: Writable<OpenFirewallProbe> = {
    manager: null,
    know: (desired) => {
      isInstalled = desired.some(({ name }) => name === coreManagerName);
    },
    follow: (plugin, next) => {
      if (plugin === coreManagerName) probe.manager = next;
    },
    status: () => {
      const { manager } = probe;
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
  return probe;
};

const off = {
  enabled: false,
  masterSwitchEnabled: false,
  rateLimitingEnabled: false,
  developmentModeEnabled: false,
};
const absent = { installed: false, ...off };
const installed = { installed: true, ...off };

type Listener = NonNullable<NativeExtras["onSignal"]>;

/** Passes plugins' signals from all servers to those of their plugins that run on this one. */
export type Signals = {
  /** Sets a plugin's listener, replacing its former one; `null` for none. */
  open(plugin: string, listener: Listener | null): void;
  close(plugin: string): void;
  stop(): void;
};

/** Nobody listens yet. `failed` hears of a listener that throws. */
export const createSignals = (
  events: Pick<EventBus, "subscribe">,
  failed: (plugin: string, error: unknown) => void,
): Signals => {
  const listeners = new Map<string, Listener>();
  const tell = (plugin: string, topic: string | null): void => {
    try {
      listeners.get(plugin)?.(topic);
    } catch (error) {
      failed(plugin, error);
    }
  };
  const stop = events.subscribe({ "plugin-signal": ({ plugin, topic }) => tell(plugin, topic) }, () => {
    for (const plugin of listeners.keys()) tell(plugin, null);
  });
  return {
    open: (plugin, listener) => {
      if (listener === null) listeners.delete(plugin);
      else listeners.set(plugin, listener);
    },
    close: (plugin) => void listeners.delete(plugin),
    stop,
  };
};
