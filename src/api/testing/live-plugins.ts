import { join } from "node:path";
import type { Services } from "#api/core/context.ts";
import {
  createPlugins,
  type PluginStart,
  type Plugins,
  type PluginsOptions,
} from "#api/plugin-host/create-plugins.ts";
import type { OpenFirewallProbe } from "#api/plugin-host/native/native-host.ts";
import { startSandbox } from "#api/plugin-host/sandbox/start-sandbox.ts";
import { makeDataFolder } from "./data-folder.ts";
import { createLocalRateLimiter } from "./local-rate-limiter.ts";

export type LivePluginsOptions = Partial<PluginStart & Pick<PluginsOptions, "countryOf">>;

/** Plugins that run as in an installation, in processes of their own, for a test's host: they end with it. */
export const livePlugins =
  ({ isSafeMode = false, bundled = [], countryOf = null }: LivePluginsOptions = {}) =>
  (base: Omit<Services, "plugins">, firewall: OpenFirewallProbe): Plugins => {
    const data = makeDataFolder();
    const plugins = createPlugins(base, {
      ...{ isSafeMode, bundled, startSandbox, isShared: false, countryOf, firewall },
      config: {
        dataDir: join(data.path, "data"),
        pluginTrustedKeys: [],
        pluginAllowUnsigned: true,
        pluginAllowNative: true,
        pluginDataMB: 100,
      },
      rateLimiter: createLocalRateLimiter(base.clock),
    });
    return {
      ...plugins,
      stop: async () => {
        await plugins.stop();
        data.remove();
      },
    };
  };
