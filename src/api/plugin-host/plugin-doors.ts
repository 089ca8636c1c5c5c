import type { SiteScripts } from "./assets/asset-source.ts";
import type { PluginEvents } from "./dispatch/plugin-events.ts";
import type { PluginRoutes } from "./dispatch/plugin-routes.ts";
import type { Scheduler } from "./dispatch/scheduler.ts";
import type { Guard } from "./guard/guard.ts";
import type { HostFunctions } from "./host-functions/create-host-functions.ts";
import type { OpenTraffic } from "./native/traffic.ts";
import type { PluginLogs } from "./plugin-logs.ts";
import {
  faultText,
  type LivePlugin,
  type PluginDoor,
  type PluginRuntime,
  type RegisteredRoute,
} from "./runtime.ts";

export type PluginDoorsParts = {
  routes: PluginRoutes;
  guard: Guard;
  traffic: OpenTraffic;
  siteScripts: SiteScripts;
  scheduler: Scheduler;
  events: PluginEvents;
  logs: Pick<PluginLogs, "note">;
  used: HostFunctions["used"];
};

/** Everything by which plugins are reached while they run. */
export const createPluginDoors = (parts: PluginDoorsParts): PluginDoor[] => [
  routesDoor(parts),
  hooksDoor(parts),
  trafficDoor(parts),
  jobsDoor(parts),
  listenersDoor(parts),
  parts.siteScripts.door,
];

const routesDoor = ({ routes, used }: PluginDoorsParts): PluginDoor => ({
  open: (live) => routes.open({ ...live, runtime: countingUses(live, used), mount: mountOf(live) }),
  suspend: routes.suspend,
  close: routes.close,
});

const mountOf = ({ runtime }: LivePlugin): LivePlugin["mount"] => runtime.extras?.mount ?? undefined;

const permissionOf = { admin: "routes", user: "routes.user", public: "routes.public" } as const;

/** A runtime that takes down by what permission each of its routes is called. */
const countingUses = (
  { manifest: { name }, runtime }: LivePlugin,
  used: HostFunctions["used"],
): PluginRuntime => {
  const accessOf = new Map<string, RegisteredRoute["access"]>(
    runtime.registration.routes.map(({ handler, access }) => [handler, access]),
  );
  return {
    ...runtime,
    invoke: (handler, payload) => {
      const access = accessOf.get(handler);
      if (access !== undefined) used(name, permissionOf[access]);
      return runtime.invoke(handler, payload);
    },
  };
};

/** Hooks end with what runs; rules stay until the plugin is off, so that nothing is let in while it recovers. */
const hooksDoor = ({ guard }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest, runtime }) => guard.setHooks(manifest.name, runtime.extras?.before ?? []),
  suspend: (name) => guard.setHooks(name, []),
  close: (name) => guard.remove(name),
});

/** Inspectors and the like are code that runs: they end with the plugin, and the core looks after itself again. */
const trafficDoor = ({ traffic }: PluginDoorsParts): PluginDoor => ({
  open: ({ manifest, runtime }) => {
    const { inspector = null, shaper = null, coreManager = null } = runtime.extras ?? {};
    traffic.set(manifest.name, { inspector, shaper, coreManager });
  },
  suspend: traffic.remove,
  close: traffic.remove,
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
