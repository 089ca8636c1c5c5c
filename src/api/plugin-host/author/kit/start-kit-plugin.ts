import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { checkAccess } from "#api/http/identity.ts";
import { errorStatus } from "#contract/errors.ts";
import { createSchemaCheck } from "#contract/json-schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Permission } from "#contract/plugins.ts";
import type { Health, Json, Method, PluginRequest, Principal } from "#plugins/sdk/types.ts";
import { compileRoutes, createPathTable } from "../../dispatch/compile-routes.ts";
import { invokeRoute, noBreaker } from "../../dispatch/invoke-route.ts";
import { queryOf } from "../../dispatch/open-plugin.ts";
import type { Outcome } from "../../dispatch/read-outcome.ts";
import { checkRegistration } from "../../host-functions/check-registration.ts";
import { pluginFilesPrefix } from "../../host-functions/data-quota.ts";
import { effectiveSettings } from "../../life-cycle/start-plugin.ts";
import { compilePattern } from "../../package/compile-pattern.ts";
import { packFolder, verifyPackage } from "../../package/pack.ts";
import { textOf } from "../../package/read-package.ts";
import { noBackend, type PluginRuntime, type RuntimeHost } from "../../runtime.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";
import { buildFolder, PluginBuildError } from "../build-folder.ts";
import {
  createKitHost,
  createMemoryKv,
  createMemoryObjects,
  type KitOutside,
  type KitUser,
} from "./kit-host.ts";

/** How a test runs the plugin in a folder. `granted`: everything it requests by default. */
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

/** What the plugin logs, and its calls to the outside. */
type KitWorld = KitOutside & { clock: Clock; log: RuntimeHost["log"] };

/** Builds the plugin in a folder and starts it in the sandbox. Rejects with an `Error` for its author. */
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
      // The plugin is notified of the change after its own call has returned.
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

/** A request of a test. */
export type KitCall = { method: Method; path: string; user: Principal | null; body: Json };

/** The response: parsed JSON, anything else as text, bytes in base64. */
type KitAnswer = { status: number; headers: Record<string, string>; body: Json };

type Called = { manifest: Manifest; runtime: PluginRuntime; granted: readonly Permission[] };

/** Handles requests to a plugin's routes as a server does: access, schemas, then the handler. */
const createKitRoutes = (called: Called, log: (level: "error" | "warn", line: string) => void) => {
  const { manifest, runtime, granted } = called;
  const compiled = compileRoutes(runtime.registration, granted);
  const table = createPathTable(
    compiled.map((route) => ({
      path: route.registered.path,
      entry: { method: route.registered.method, route },
    })),
  );
  const live = { manifest, runtime, granted, version: manifest.version, sha256: "" };

  const answer = async ({ method, path, user, body }: KitCall): Promise<Outcome> => {
    const [plain = "", search = ""] = path.split("?", 2);
    const found = table.find(method, plain);
    if (found === null || "allow" in found)
      throw new AppError(found === null ? "NOT_FOUND" : "METHOD_NOT_ALLOWED");
    const { route } = found;
    checkAccess(actorOf(user), route.registered.access);
    route.checkBody?.(body);
    const query = queryOf(`?${search}`);
    route.checkQuery(query);
    const request: PluginRequest = {
      ...{ id: crypto.randomUUID(), method, path: plain, params: route.paramsOf(plain), query },
      ...{ headers: {}, body, user, ip: "127.0.0.1" },
    };
    return invokeRoute(
      { live, route, log: (_, level, line) => log(level, line), breaker: noBreaker, caller: request.ip },
      request,
    );
  };

  return async (call: KitCall): Promise<KitAnswer> => {
    try {
      return shown(await answer(call));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { kind, message, errors } = error;
      const body = { success: false, code: kind, message, ...(errors ? { errors } : {}) };
      return { status: errorStatus[kind], headers: {}, body };
    }
  };
};

const actorOf = (user: Principal | null): Parameters<typeof checkAccess>[0] =>
  user === null ? { kind: "visitor" } : asActor(user);

/** Only the role decides about access. */
const asActor = (user: Principal): Parameters<typeof checkAccess>[0] =>
  ({ kind: "user", user }) as unknown as Parameters<typeof checkAccess>[0];

const shown = ({ status, headers, body, isJson }: Outcome): KitAnswer => {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("base64") : body;
  return { status, headers: { ...headers }, body: isJson && text !== null ? JSON.parse(text) : text };
};

/**
 * The settings of a test, as admins would enter them, with secrets apart. Throws `PluginBuildError` for what doesn't
 * fit the schema.
 */
const splitSettings = (
  { settings }: Pick<Manifest, "settings">,
  given: Record<string, Json>,
): { plain: Record<string, Json>; secrets: Map<string, string> } => {
  const plain: Record<string, Json> = {};
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (settings?.schema.properties[name]?.["x-secret"] === true) secrets.set(name, String(value));
    else plain[name] = value;
  }
  const { required: _, ...schema } = settings?.schema ?? { type: "object", additionalProperties: false };
  const problems = createSchemaCheck(schema, { compilePattern })(plain);
  if (problems.length > 0) throw new PluginBuildError("The settings do not fit the manifest", { problems });
  return { plain, secrets };
};
