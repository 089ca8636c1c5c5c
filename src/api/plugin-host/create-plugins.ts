import { join } from "node:path";
import type { RateLimiter } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { Config } from "#api/config.ts";
import type { Services } from "#api/core/context.ts";
import { newId } from "#api/core/new-id.ts";
import type { BundledPlugin } from "#api/core/plugins.ts";
import type { FirewallDesk } from "#api/core/settings.ts";
import type { Tracer } from "#api/core/tracer.ts";
import type { PluginEntrance } from "#api/http/plugin-entrance.ts";
import { readPluginSecret, saveOwnSettings } from "#api/modules/plugins/index.ts";
import { createKeptAssets, createSiteScripts } from "./assets/asset-source.ts";
import { createRouteBreaker } from "./dispatch/invoke-route.ts";
import { createPluginEvents } from "./dispatch/plugin-events.ts";
import { createPluginRoutes } from "./dispatch/plugin-routes.ts";
import { createScheduler } from "./dispatch/scheduler.ts";
import type { CountryOf } from "./guard/compile-rules.ts";
import { createGuard } from "./guard/guard.ts";
import { createGuardRules } from "./guard/guard-rules.ts";
import { createHostFunctions } from "./host-functions/create-host-functions.ts";
import { pluginSource } from "./host-functions/host-function.ts";
import { createInvocationTally, type PluginUse } from "./invocation-tally.ts";
import { type AppFacts, createNativeHost } from "./native/native-host.ts";
import { createImportBundle, createStartNative } from "./native/start-native.ts";
import { createFirewallDesk, createTraffic } from "./native/traffic.ts";
import { pinnedKeys } from "./pinned-keys.ts";
import { createPluginDoors } from "./plugin-doors.ts";
import { createPluginHost, type PluginHost } from "./plugin-host.ts";
import { createPluginLogs } from "./plugin-logs.ts";
import { routePaused } from "./plugin-reports.ts";
import type { StartRuntime } from "./runtime.ts";

/** How plugins are to be dealt with from the start of a server on. */
export type PluginStart = { isSafeMode: boolean; bundled: readonly BundledPlugin[] };

export type PluginsOptions = PluginStart & {
  config: Pick<
    Config,
    "dataDir" | "pluginTrustedKeys" | "pluginAllowUnsigned" | "pluginAllowNative" | "pluginDataMB"
  >;
  /** Several servers may use the database. */
  isShared: boolean;
  /** What counts for rules of plugins, and for nothing else. */
  rateLimiter: RateLimiter;
  startSandbox: StartRuntime;
  /** Tells countries of addresses; `null` where nothing can. */
  countryOf: CountryOf | null;
  /** Takes down calls of plugins' code. */
  tracer?: Tracer;
};

/** The plugins of a server, and what they add to its ways in. */
export type Plugins = PluginHost & {
  entrance: PluginEntrance;
  /** The firewall among them. Never throws. */
  firewall: FirewallDesk;
  /** What was asked of a plugin's code since the server started. */
  tallyOf(plugin: string): Readonly<PluginUse>;
};

const flushMs = 5_000;

/** Puts a server's plugins together: nothing of them runs before `start`. */
export const createPlugins = (base: Omit<Services, "plugins">, options: PluginsOptions): Plugins => {
  const { db, clock, log, activity } = base;
  const { config, countryOf, rateLimiter: limiter } = options;
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
    ...{ appUrl: base.appUrl, settings: base.settings, limiter, countryOf },
    app: { routes: () => app.routes(), pageFiles: (path) => app.pageFiles(path) },
  });
  const firewall = createFirewallDesk(traffic);
  const rules = createGuardRules({ ...base, guard });
  const routes = createPluginRoutes({
    log: logs.note,
    breaker: createRouteBreaker({
      ...{ clock, log: logs.note },
      paused: (name, why) =>
        activity.note({ entry: routePaused(name, why), source: pluginSource, at: clock.now() }),
    }),
    settingsOf: (name) => host.settingsOf(name),
  });
  const scheduler = createScheduler({ db, clock, log, replica });
  const events = createPluginEvents(base.happenings);
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
  const tally = createInvocationTally(options.tracer);
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
    watch: tally.watch,
    doors: [
      ...createPluginDoors({
        routes,
        guard,
        traffic,
        siteScripts,
        scheduler,
        events,
        logs,
        used: functions.used,
      }),
      tally.door,
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
    firewall,
    tallyOf: tally.of,
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
      await host.stop();
      await functions.flush();
    },
  };
};
