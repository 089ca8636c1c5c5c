import { createFacade, type FacadeHost } from "#api/plugin-host/facade.ts";
import { InvocationError, type LivePlugin, type PluginRuntime } from "#api/plugin-host/runtime.ts";
import { type Manifest, readManifest } from "#contract/plugin-manifest.ts";
import { type PermissionName, permissionNames } from "#contract/plugins.ts";
import type { Ctx, Json, PluginDefinition } from "#plugins/sdk/types.ts";

export type LivePluginOptions = {
  name?: string;
  /** All of them unless given. */
  granted?: PermissionName[];
  /** Over what the manifest says by itself. */
  manifest?: Record<string, Json>;
  definition?: Partial<PluginDefinition>;
  setup?: (ctx: Ctx) => void;
  version?: string;
  /** Does what the plugin asks the host for; nothing unless given. */
  call?: FacadeHost["call"];
  /** What its `ctx` has besides. */
  extras?: object;
};

/** A plugin that runs in this process, behind the real `ctx`; what it asks the host for is refused unless told. */
export const startLivePlugin = async ({
  name = "visitor-notes",
  granted = [...permissionNames],
  manifest = {},
  definition = {},
  setup = () => {},
  version = "1.2.3",
  call = async () => Promise.reject({ name: "UNAVAILABLE", message: "there is no host" }),
  extras = {},
}: LivePluginOptions = {}): Promise<LivePlugin> => {
  const facade = createFacade(
    {
      call,
      log: () => {},
      decodeText: (base64) => Buffer.from(base64, "base64").toString(),
    },
    {
      name,
      version,
      permissions: granted,
      replica: "test",
      settings: {},
      most: { routes: 200, jobs: 50, listeners: 50 },
    },
    extras,
  );
  const registration = await facade.start({ name, version, setup, ...definition });
  const runtime: PluginRuntime = {
    registration,
    isolation: "native",
    memoryBytes: () => null,
    invoke: async (handler, payload) => {
      try {
        return asResult(await facade.invoke(handler, payload));
      } catch (cause) {
        if (cause instanceof InvocationError) throw cause;
        throw new InvocationError("threw", cause instanceof Error ? cause.message : String(cause), { cause });
      }
    },
    setSettings: facade.setSettings,
    health: facade.health,
    migrate: facade.migrate,
    stop: async (reason) => facade.teardown(reason),
  };
  return {
    manifest: manifestOf(name, version, manifest),
    version,
    sha256: "ab".repeat(32),
    runtime,
    granted: granted.map((permission) => ({ name: permission })),
  };
};

/** What a handler gave back, as the runtimes hand it on: JSON or nothing. */
const asResult = (value: unknown): Json | undefined =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const manifestOf = (name: string, version: string, more: Record<string, Json>): Manifest => {
  const read = readManifest({
    manifestVersion: 1,
    name,
    version,
    title: "Visitor notes",
    description: "Keeps notes about visitors",
    type: "Other",
    backend: { entry: "backend/index.js", runtime: "sandbox" },
    ...more,
  });
  if ("manifest" in read) return read.manifest;
  throw new Error(JSON.stringify(read.problems));
};
