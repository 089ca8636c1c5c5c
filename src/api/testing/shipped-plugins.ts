import type { FacadeHost } from "#api/plugin-host/facade.ts";
import type { LivePlugin } from "#api/plugin-host/runtime.ts";
import { type PermissionName, permissionNames } from "#contract/plugins.ts";
import firewall from "#plugins/firewall/backend/index.ts";
import { createFakeKv } from "#plugins/firewall/backend/testing/fake-kv.ts";
import firewallManifest from "#plugins/firewall/plugin.json";
import licensing from "#plugins/licensing/backend/index.ts";
import licensingManifest from "#plugins/licensing/plugin.json";
import template from "#plugins/plugin-template/backend/index.ts";
import templateManifest from "#plugins/plugin-template/plugin.json";
import type { Json, PluginDefinition } from "#plugins/sdk/types.ts";
import performance from "#plugins/web-performance-optimization/backend/index.ts";
import performanceManifest from "#plugins/web-performance-optimization/plugin.json";
import { startLivePlugin } from "./live-plugin.ts";

/**
 * The plugins that are part of Atrium, in this process: enough to describe and to ask their routes without building
 * packages. What they ask the host for is answered from memory, or as `callsOf` each one's manifest are. Stop their
 * runtimes after the tests.
 */
export const startShippedPlugins = (callsOf: CallsOf = callsInMemory): Promise<LivePlugin[]> =>
  Promise.all(
    (
      [
        [firewallManifest, firewall],
        [licensingManifest, licensing],
        [performanceManifest, performance],
        [templateManifest, template],
      ] as const
    ).map(([manifest, definition]) =>
      startLivePlugin({
        ...{ name: manifest.name, version: manifest.version, manifest: { ...manifest } as ManifestJson },
        definition: asDefinition(definition),
        granted: [...permissionNames] satisfies PermissionName[],
        call: callsOf({ ...manifest } as ManifestJson),
        extras: nativeExtras,
      }),
    ),
  );

type ManifestJson = Record<string, Json>;

/** How the calls of a plugin with this manifest are answered. */
export type CallsOf = (manifest: ManifestJson) => FacadeHost["call"];

const callsInMemory: CallsOf = () => {
  const kv = createFakeKv();
  return async (op, args) => {
    const [area, name] = op.split(".");
    const done: unknown = area === "kv" ? Reflect.get(kv, name ?? "") : undefined;
    return typeof done === "function" ? done(...args.map((arg) => arg ?? undefined)) : listed[op];
  };
};

/** What the host answers that has nothing. */
const listed: Record<string, Json> = { "files.list": [], "guard.stats": [] };

const nothing = () => {};
const nativeExtras = {
  request: { before: nothing, inspect: nothing },
  response: { shape: nothing },
  app: { mount: nothing },
  host: {
    appUrl: "http://localhost:3000",
    manageCore: nothing,
    coreLimit: () => ({
      ...{ windowMs: 900_000, maxRequests: 500, message: "Slow down" },
      ...{ skipAdminRoutes: true, skipPluginRoutes: true },
    }),
    counting: "memory",
    signal: nothing,
    onSignal: nothing,
    takeRate: () => ({ isAllowed: true, remaining: 1, resetMs: 1_000 }),
    networkOf: (ip: string) => ip,
    knowsCountries: false,
    countryOf: () => null,
    addressTest: () => () => -1,
    routes: () => [],
    pageFiles: () => ({ scripts: [], styles: [] }),
  },
};

/** A native plugin's own `ctx` has more than others'; these extras give it that. */
const asDefinition = (definition: object): PluginDefinition => definition as PluginDefinition;
