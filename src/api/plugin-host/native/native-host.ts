import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import { networkOf } from "#api/core/circumstances.ts";
import type { Services } from "#api/core/context.ts";
import type { RouteTable } from "#api/http/target.ts";
import { spanOf } from "#contract/endpoints.ts";
import type {
  CoreManager,
  NativeCtx,
  NativeHost,
  RequestInspector,
  ResponseShaper,
} from "#plugins/sdk/native-types.ts";
import { createRangeIndex } from "../guard/address-ranges.ts";
import type { CountryOf } from "../guard/compile-rules.ts";
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
