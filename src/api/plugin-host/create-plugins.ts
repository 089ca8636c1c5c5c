import { join } from "node:path";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { Config } from "#api/config.ts";
import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { digestOf, newId } from "#api/core/ids.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import type { Tracer } from "#api/core/tracer.ts";
import type { PluginEntrance } from "#api/http/plugin-entrance.ts";
import { readPluginSecret, saveOwnSettings, syncBundled } from "#api/modules/plugins/index.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { createKeptAssets, createSiteScripts, type SiteScripts } from "./assets/asset-source.ts";
import { createRouteBreaker } from "./dispatch/invoke-route.ts";
import { createPluginEvents, type PluginEvents } from "./dispatch/plugin-events.ts";
import { createPluginRoutes, type PluginRoutes } from "./dispatch/plugin-routes.ts";
import { createScheduler, type Scheduler } from "./dispatch/scheduler.ts";
import type { CountryOf } from "./guard/compile-rules.ts";
import { createGuard, createGuardRules, type Guard } from "./guard/guard.ts";
import { createHostFunctions, type HostFunctions } from "./host-functions/create-host-functions.ts";
import { pluginSource } from "./host-functions/host-function.ts";
import { createPluginHost, type PluginHost } from "./life-cycle/plugin-host.ts";
import { createInvocationCounter, type PluginUse } from "./life-cycle/plugin-instance.ts";
import { createPluginLogs, type PluginLogs, reportOf } from "./life-cycle/plugin-reports.ts";
import {
  type AppFacts,
  createNativeHost,
  createSignals,
  createTraffic,
  type OpenFirewallProbe,
  type OpenTraffic,
  type Signals,
} from "./native/native-host.ts";
import { createImportBundle, createStartNative } from "./native/start-native.ts";
import { faultText, type PluginDoor, type StartRuntime } from "./runtime.ts";

/** Options for plugins from the start of a server. */
export type PluginStart = { isSafeMode: boolean; bundled: readonly BundledPlugin[] };

export type PluginsOptions = PluginStart & {
  config: Pick<
    Config,
    "dataDir" | "pluginTrustedKeys" | "pluginAllowUnsigned" | "pluginAllowNative" | "pluginDataMB"
  >;
  /** Several servers may use the database. */
  isShared: boolean;
  /** For plugins' rules only. */
  rateLimiter: RateLimiter;
  startSandbox: StartRuntime;
  /** Finds the country of an IP address; `null` if it can't. */
  countryOf: CountryOf | null;
  /** Hears of the plugin that manages the core. */
  firewall: OpenFirewallProbe;
  /** Traces calls of plugins' code. */
  tracer?: Tracer;
};

/** The plugins of a server, and what they add to its request handling. */
export type Plugins = PluginHost & {
  entrance: PluginEntrance;
  /** Counts of calls of a plugin's code since the server started. */
  usageOf(plugin: string): Readonly<PluginUse>;
};

const flushMs = 5_000;

/** Sets up a server's plugins; none of them runs before `start`. */
export const createPlugins = (base: Omit<Services, "plugins">, options: PluginsOptions): Plugins => {
  const { db, clock, log, activity } = base;
  const { config, countryOf, firewall, rateLimiter: limiter } = options;
  const replica = newId();
  const folder = join(config.dataDir, "plugins");
  const logs = createPluginLogs({ clock, replica });
  const guard = createGuard({
    ...{ activity, clock, log, limiter, countryOf },
    hookFailed: (name, reason) => host.failedRequest(name, reason),
  });
  const traffic = createTraffic((name, reason) => host.failedRequest(name, reason));
  let app: AppFacts = { routes: () => [], pageFiles: () => ({ scripts: [], styles: [] }) };
  const nativeHost = createNativeHost({
    ...{ appUrl: base.appUrl, settings: base.settings, events: base.events, limiter, countryOf },
    app: { routes: () => app.routes(), pageFiles: (path) => app.pageFiles(path) },
  });
  const rules = createGuardRules({ ...base, guard });
  const routes = createPluginRoutes({
    log: logs.note,
    breaker: createRouteBreaker({
      ...{ clock, log: logs.note },
      paused: (name, why) =>
        activity.note({ entry: reportOf("routePaused", name, why), source: pluginSource, at: clock.now() }),
    }),
    used: (name, permission) => functions.used(name, permission),
    settingsOf: (name) => host.settingsOf(name),
  });
  const scheduler = createScheduler({ db, clock, log, replica });
  const events = createPluginEvents(base.happenings);
  const signals = createSignals(base.events, (name, error) =>
    logs.note(name, "warn", `Its listener for signals failed: ${describeError(error).message}`),
  );
  const assets = createKeptAssets({ db, folder, open: (place) => host.openPackage(place) });
  const siteScripts = createSiteScripts();
  const quotaBytes = config.pluginDataMB * 1_000_000;
  const functions = createHostFunctions({
    quotaBytes,
    services: base,
    settings: {
      save: (plugin, patch) => saveOwnSettings({ ...base, plugins: host }, plugin, patch),
      readSecret: (dataKey, field) => readPluginSecret(base, dataKey, field),
    },
    guard: rules,
    callPlugin: (caller, name, call) => routes.call(caller, { name, ...call }),
  });
  const counter = createInvocationCounter(options.tracer);
  let flushedAtMs = clock.uptimeMs();

  const host: PluginHost = createPluginHost({
    ...base,
    ...{ folder, replica, logs },
    pinnedKeys: pinnedKeys(config.pluginTrustedKeys),
    allowUnsigned: config.pluginAllowUnsigned,
    allowNative: config.pluginAllowNative,
    quotaBytes,
    isSafeMode: options.isSafeMode,
    isShared: options.isShared,
    bundled: options.bundled,
    runtimes: {
      sandbox: options.startSandbox,
      native: createStartNative(
        createImportBundle({ folder: join(config.dataDir, "cache/native"), log }),
        nativeHost,
      ),
    },
    hostCalls: functions.serve,
    watch: counter.watch,
    doors: [
      ...createPluginDoors({
        routes,
        guard,
        traffic,
        firewall,
        siteScripts,
        scheduler,
        events,
        signals,
        logs,
        used: functions.used,
      }),
      counter.door,
    ],
    onRead: async (desired) => {
      assets.reach(desired);
      firewall.know(desired);
      const ruling = desired.filter(
        ({ isEnabled, granted }) => isEnabled && granted.some(({ name }) => name === "request.rules"),
      );
      await rules.refresh(ruling.map(({ name }) => name));
    },
    alongside: async () => {
      if (clock.uptimeMs() - flushedAtMs < flushMs) return;
      flushedAtMs = clock.uptimeMs();
      await functions.flush();
    },
  });

  return {
    ...host,
    usageOf: counter.of,
    entrance: {
      routes,
      guard,
      traffic,
      countryOf,
      assets: { ...assets, siteScripts: siteScripts.list },
      describe: () => routes.describe(),
      meet: (facts) => {
        app = facts;
      },
    },
    stop: async () => {
      scheduler.stop();
      events.stop();
      signals.stop();
      await host.stop();
      await functions.flush();
    },
  };
};

type PluginDoorsParts = {
  routes: PluginRoutes;
  guard: Guard;
  traffic: OpenTraffic;
  firewall: Pick<OpenFirewallProbe, "follow">;
  siteScripts: SiteScripts;
  scheduler: Scheduler;
  events: PluginEvents;
  signals: Signals;
  logs: Pick<PluginLogs, "note">;
  used: HostFunctions["used"];
};

/** Everything by which running plugins are reached. */
const createPluginDoors = (parts: PluginDoorsParts): PluginDoor[] => [
  parts.routes,
  hooksDoor(parts),
  trafficDoor(parts),
  signalsDoor(parts),
  jobsDoor(parts),
  listenersDoor(parts),
  parts.siteScripts.door,
];

/** Hooks end with what runs; rules stay until the plugin is disabled, so that nothing gets in while it recovers. */
const hooksDoor = ({ guard }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest, runtime }) => guard.setHooks(manifest.name, runtime.extras?.before ?? []),
  suspend: (name) => guard.setHooks(name, []),
  close: (name) => guard.remove(name),
});

/** Inspectors and the like are running code: they end with the plugin, and the core manages itself again. */
const trafficDoor = ({ traffic, firewall }: PluginDoorsParts): PluginDoor => {
  const shut = (name: string): void => {
    traffic.remove(name);
    firewall.follow(name, null);
  };
  return {
    open: ({ manifest: { name }, runtime }) => {
      const { inspector = null, shaper = null, coreManager = null } = runtime.extras ?? {};
      traffic.set(name, { inspector, shaper });
      firewall.follow(name, coreManager);
    },
    suspend: shut,
    close: shut,
  };
};

const signalsDoor = ({ signals }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest, runtime }) => signals.open(manifest.name, runtime.extras?.onSignal ?? null),
  suspend: signals.close,
  close: signals.close,
});

const jobsDoor = ({ scheduler, logs, used }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest: { name }, runtime }) =>
    scheduler.open(
      name,
      runtime.registration.jobs.map(({ name: job, everyMs, handler }) => ({
        name: job,
        everyMs,
        run: async () => {
          used(name, "schedule");
          try {
            await runtime.invoke(handler, null);
          } catch (error) {
            logs.note(name, "error", `The job ${job}: ${faultText(name, error)}`);
            throw error;
          }
        },
      })),
    ),
  suspend: (name) => scheduler.close(name),
  close: (name) => scheduler.close(name),
});

const listenersDoor = ({ events, logs, used }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest: { name }, runtime }) =>
    events.open(
      name,
      runtime.registration.listeners.map(({ event, handler }) => ({
        event,
        run: (payload) => {
          used(name, "events");
          return runtime.invoke(handler, payload);
        },
      })),
      (message) => logs.note(name, "warn", message),
    ),
  suspend: (name) => events.close(name),
  close: (name) => events.close(name),
});

/** The keys that the operator pinned: they may sign any plugin, for the sandbox. */
const pinnedKeys = (publicKeys: readonly string[]): TrustedKey[] =>
  publicKeys.map((given) => {
    // The configuration also accepts base64url.
    const raw = Buffer.from(given, "base64");
    return {
      keyId: digestOf(raw),
      publicKey: raw.toString("base64"),
      label: "PLUGIN_TRUSTED_KEYS",
      tier: "verified",
      names: ["*"],
      notBefore: null,
      notAfter: null,
      revokedAt: null,
      source: "environment",
      addedBy: null,
      createdAt: null,
    };
  });

/** Installs plugins that are part of this executable; a failure doesn't stop the server. */
export const prepareBundled = async (services: Services): Promise<void> => {
  try {
    await syncBundled(services);
  } catch (error) {
    services.log.error("plugins of Atrium could not be installed", { error: describeError(error) });
  }
};

/**
 * Starts one plugin and those that it needs, in a process that is no server, to call its routes. Resolves when it has
 * settled: running, failed, or disabled.
 */
export const startOnePlugin = async (
  services: Services & { plugins: Plugins },
  name: string,
): Promise<void> => {
  await prepareBundled(services);
  await services.plugins.start(name);
  await services.plugins.converge([name]);
};
