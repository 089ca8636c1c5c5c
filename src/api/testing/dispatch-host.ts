import { sessions } from "#api/db/schema.ts";
import { noPlugins } from "#api/http/plugin-entrance.ts";
import { createRouteBreaker, type LogLine } from "#api/plugin-host/dispatch/invoke-route.ts";
import { createPluginRoutes, type PluginRoutes } from "#api/plugin-host/dispatch/plugin-routes.ts";
import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import type { Ctx } from "#plugins/sdk/types.ts";
import { createActivityReader, type LoggedActivity } from "./activity-reader.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createTestHost, type TestClient, type TestHost } from "./host.ts";
import { type LivePluginOptions, startLivePlugin } from "./live-plugin.ts";

/** A host to which plugins are opened by hand. */
export type DispatchHost = {
  host: TestHost;
  routes: PluginRoutes;
  /** Lines of plugins' logs, and what admins are told. */
  logged: string[];
  /** The one that routes' pauses go by. */
  clock: TestClock;
  visitor: TestClient;
  user: TestClient;
  admin: TestClient;
  /** Starts a plugin, named `visitor-notes` unless told, and opens its routes. */
  open(setup: (ctx: Ctx) => void, more?: LivePluginOptions): Promise<LivePlugin>;
  newRows(): Promise<LoggedActivity[]>;
  /** Closes all plugins, and forgets what was logged. */
  clear(): Promise<void>;
};

/** Starts one; close its `host` after the tests. */
export const createDispatchHost = async (): Promise<DispatchHost> => {
  const logged: string[] = [];
  const log: LogLine = (plugin, level, message) => void logged.push(`${plugin} ${level} ${message}`);
  const clock = createTestClock();
  const routes = createPluginRoutes({
    log,
    used: () => {},
    breaker: createRouteBreaker({ clock, log, paused: (_, why) => void logged.push(why) }),
    settingsOf: () => ({ greeting: "Hello" }),
  });
  const host = await createTestHost({
    entrance: () => ({ ...noPlugins, routes, describe: () => routes.describe() }),
  });
  const newRows = createActivityReader(host.services);
  const admin = await host.signedIn("admin");
  // The clock goes on, and plugins' changes want a recent sign-in.
  const confirmedAt = new Date(host.clock.now().getTime() + 86_400_000);
  await host.db.update(sessions).set({ confirmedAt });
  return {
    host,
    routes,
    logged,
    clock,
    visitor: host.visitor(),
    user: await host.signedIn("user"),
    admin,
    open: async (setup, more = {}) => {
      const live = await startLivePlugin({ setup, ...more });
      routes.open(live);
      return live;
    },
    newRows,
    clear: async () => {
      logged.length = 0;
      for (const { manifest } of routes.live()) routes.close(manifest.name);
      await newRows();
    },
  };
};
