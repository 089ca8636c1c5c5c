import type { Clock } from "#api/core/clock.ts";
import type { Permission } from "#contract/plugins.ts";
import type { Health, Json } from "#plugins/sdk/types.ts";
import { effectiveSettings } from "../../effective-settings.ts";
import { checkRegistration } from "../../host-functions/check-registration.ts";
import { pluginFilesPrefix } from "../../host-functions/data-quota.ts";
import { packFolder, verifyPackage } from "../../package/pack.ts";
import { textOf } from "../../package/read-package.ts";
import { noBackend, type PluginRuntime, type RuntimeHost } from "../../runtime.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";
import { buildFolder } from "../build-folder.ts";
import { PluginBuildError } from "../plugin-build-error.ts";
import { createKitHost, type KitOutside, type KitUser } from "./kit-host.ts";
import { createKitRoutes, type KitAnswer, type KitCall, splitSettings } from "./kit-plugin.ts";
import { createMemoryKv } from "./memory-kv.ts";
import { createMemoryObjects } from "./memory-objects.ts";

/** How a test wants the plugin of a folder to run. `granted`: everything it asks for unless given. */
export type KitStart = {
  folder: string;
  settings: Record<string, Json>;
  granted: string[] | null;
  users: KitUser[];
};

/** A plugin that runs for a test. */
export type KitPlugin = {
  call(call: KitCall): Promise<KitAnswer>;
  emit(event: string, payload: Json): Promise<void>;
  runJob(name: string): Promise<void>;
  setSettings(patch: Record<string, Json>): Promise<void>;
  health(): Promise<Health>;
  values: Map<string, Json>;
  put(key: string, value: Json): void;
  readFile(path: string): Promise<string | null>;
  stop(): Promise<void>;
};

/** What the plugin writes to its log, and what it asks of the world. */
export type KitWorld = KitOutside & { clock: Clock; log: RuntimeHost["log"] };

/** Builds the plugin of a folder and starts it in the sandbox. Rejects with an `Error` for its author. */
export const startKitPlugin = async (start: KitStart, world: KitWorld): Promise<KitPlugin> => {
  const read = await verifyPackage(packFolder(await buildFolder(start.folder)), []);
  const { manifest } = read;
  const granted = grantedOf(manifest.permissions, start.granted);
  const given = splitSettings(manifest, start.settings);
  let stored = given.plain;
  const kv = createMemoryKv(world.clock);
  const objects = createMemoryObjects();
  let runtime: PluginRuntime | null = null;
  const save = async (patch: Record<string, Json>): Promise<void> => {
    const next = splitSettings(manifest, { ...stored, ...patch });
    stored = next.plain;
    for (const [name, secret] of next.secrets) given.secrets.set(name, secret);
    await runtime?.setSettings(effectiveSettings(manifest, stored));
  };
  const host = createKitHost({
    ...{ clock: world.clock, objects, kv: kv.functions, users: start.users, outside: world },
    settings: {
      // The plugin hears of the change once its own call has been answered.
      save: async (_, patch) => void queueMicrotask(() => void save(asSettings(patch))),
      readSecret: async (_, field) => given.secrets.get(field) ?? null,
    },
  });
  const { name, version, limits } = manifest;
  const failures: string[] = [];
  const hosted = { name, dataKey: name, version, manifest, granted, log: world.log, violated: () => {} };
  runtime =
    manifest.backend === null
      ? noBackend(manifest)
      : await startSandbox(
          {
            ...{ name, version, limits, source: textOf(read, manifest.backend.entry) },
            permissions: granted.map((permission) => permission.name),
            settings: effectiveSettings(manifest, stored),
            replica: "test",
          },
          {
            call: host(hosted),
            log: world.log,
            failed: ({ reason }) => void failures.push(reason),
          },
        );
  const running = runtime;
  const { registration } = running;
  const problem = checkRegistration(registration, { granted, asked: manifest.permissions });
  if (problem !== null) {
    await running.stop("shutdown");
    throw new PluginBuildError(problem.message);
  }
  const run = async (handler: string, payload: Json): Promise<void> => {
    await running.invoke(handler, payload).catch((error: Error) => {
      throw new Error([error.message, ...failures.splice(0)].join(": "));
    });
  };
  return {
    call: createKitRoutes({ manifest, runtime: running, granted }, world.log),
    emit: async (event, payload) => {
      for (const listener of registration.listeners)
        if (listener.event === event) await run(listener.handler, payload);
    },
    runJob: async (wanted) => {
      const job = registration.jobs.find((known) => known.name === wanted);
      if (job === undefined) throw new Error(`There is no job ${wanted}`);
      await run(job.handler, null);
    },
    setSettings: save,
    health: running.health,
    values: kv.values,
    put: kv.put,
    readFile: async (path) => {
      const bytes = await objects.get(`${pluginFilesPrefix(name)}${path}`);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
    stop: () => running.stop("shutdown"),
  };
};

const grantedOf = (requested: readonly Permission[], names: readonly string[] | null): Permission[] => {
  if (names === null) return [...requested];
  const unknown = names.find((name) => !requested.some((permission) => permission.name === name));
  if (unknown !== undefined) throw new PluginBuildError(`plugin.json does not ask for ${unknown}`);
  return requested.filter(({ name }) => names.includes(name));
};

/** A plugin's patch came as JSON. */
const asSettings = (patch: Record<string, unknown>): Record<string, Json> => patch as Record<string, Json>;
