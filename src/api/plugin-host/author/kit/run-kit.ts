import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import { checkAccess } from "#api/http/identity.ts";
import { effectiveSettings, secretFields } from "#api/modules/plugins/index.ts";
import { errorStatus } from "#contract/errors.ts";
import { createSchemaCheck } from "#contract/json-schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import { type Permission, pluginLimits } from "#contract/plugins.ts";
import type { Health, Json, Method, PluginRequest, PluginResponse, Principal } from "#plugins/sdk/types.ts";
import { compileRoutes, createPathTable } from "../../dispatch/compile-routes.ts";
import { invokeRoute, noBreaker, type Outcome } from "../../dispatch/invoke-route.ts";
import { queryOf } from "../../dispatch/open-plugin.ts";
import { checkRegistration } from "../../host-functions/check-registration.ts";
import { createMemoryKv, pluginFilesPrefix, valueText } from "../../host-functions/kv-functions.ts";
import { compilePattern } from "../../package/compile-pattern.ts";
import { packFolder, verifyPackage } from "../../package/pack.ts";
import { textOf } from "../../package/read-package.ts";
import { noBackend, type PluginRuntime, type RuntimeHost } from "../../runtime.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";
import { buildFolder, PluginBuildError } from "../build-folder.ts";
import { createKitHost, createMemoryObjects, type KitOutside, type KitUser } from "./kit-host.ts";

type Request = { id: number; op: string; args: Json[] };
type Reply = { reply: number; value?: PluginResponse; error?: string };

/**
 * Runs one plugin for the test at the other end of standard input and output: one line of JSON for each request,
 * response and report. Ends with the input.
 */
export const runKit = async (): Promise<void> => {
  const running = new Set<KitPlugin>();
  let nowMs: number | null = null;
  let lastAsked = 0;
  const asked = new Map<number, PromiseWithResolvers<PluginResponse>>();
  const send = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

  const ask = (what: string, data: Json): Promise<PluginResponse> => {
    lastAsked += 1;
    const answer = Promise.withResolvers<PluginResponse>();
    asked.set(lastAsked, answer);
    send({ ask: lastAsked, what, data });
    return answer.promise;
  };
  const world = {
    clock: { now: () => new Date(nowMs ?? Date.now()), uptimeMs: () => performance.now() },
    log: (level: string, message: string) => send({ tell: "log", data: { level, message } }),
    tell: (what: string, data: Json) => send({ tell: what, data }),
    fetch: (request: { [key: string]: Json }) => ask("fetch", request),
    callPlugin: (name: string, call: { [key: string]: Json }) => ask("plugin", { name, ...call }),
  };
  const started = (): KitPlugin => {
    const [plugin] = running;
    if (plugin === undefined) throw new Error("No plugin runs");
    return plugin;
  };

  const operations: Record<string, (args: Json[]) => Promise<Json | undefined>> = {
    start: async ([start, now]) => {
      nowMs = typeof now === "number" ? now : null;
      running.add(await startKitPlugin(sent<KitStart>(start), world));
      return undefined;
    },
    call: async ([call]) => started().call(sent<KitCall>(call)),
    emit: async ([event, payload]) =>
      started()
        .emit(String(event), payload ?? null)
        .then(nothing),
    runJob: async ([name]) => started().runJob(String(name)).then(nothing),
    setSettings: async ([patch]) => started().setSettings(sent<Record<string, Json>>(patch)).then(nothing),
    health: async () => started().health(),
    advance: async ([ms]) => {
      nowMs = (nowMs ?? Date.now()) + Number(ms);
      return undefined;
    },
    kvGet: async ([key]) => started().kv.get(String(key)),
    kvSet: async ([key, value]) =>
      started()
        .kv.set(String(key), value ?? null)
        .then(nothing),
    kvKeys: async () => started().kv.keys(),
    readFile: async ([path]) => started().readFile(String(path)),
  };

  const serve = async ({ id, op, args }: Request): Promise<void> => {
    try {
      send({ id, value: await operations[op]?.(args) });
    } catch (error) {
      send({ id, error: explain(error) });
    }
  };
  const receive = (line: Request | Reply): void => {
    if (!("reply" in line)) return void serve(line);
    const answer = asked.get(line.reply);
    asked.delete(line.reply);
    if (line.error === undefined) answer?.resolve(line.value ?? {});
    else answer?.reject(new Error(line.error));
  };

  for await (const line of console) if (line !== "") receive(JSON.parse(line));
  for (const plugin of running) await plugin.stop();
  // The plugin had its time to clean up; nothing more is awaited.
  process.exit();
};

const nothing = (): undefined => undefined;

/** Only the test kit is at the other end, and sends what its types say. */
const sent = <T>(value: Json | undefined): T => value as T;

const explain = (error: unknown): string => {
  const problems: unknown = Reflect.get(Object(error), "problems");
  const lines = Array.isArray(problems) ? problems.map(({ path, message }) => `\n  ${path}: ${message}`) : [];
  return `${error instanceof Error ? error.message : error}${lines.join("")}`;
};

/** How a test runs the plugin in a folder. `granted`: everything it requests by default. */
type KitStart = {
  folder: string;
  settings: Record<string, Json>;
  granted: string[] | null;
  users: KitUser[];
};

/** A plugin that runs for a test. */
type KitPlugin = {
  call(call: KitCall): Promise<KitAnswer>;
  emit(event: string, payload: Json): Promise<void>;
  runJob(name: string): Promise<void>;
  setSettings(patch: Record<string, Json>): Promise<void>;
  health(): Promise<Health>;
  /** What the test itself stores, and finds. */
  kv: {
    get(key: string): Promise<Json | undefined>;
    set(key: string, value: Json): Promise<unknown>;
    keys(): Promise<string[]>;
  };
  readFile(path: string): Promise<string | null>;
  stop(): Promise<void>;
};

/** What the plugin logs, and its calls to the outside. */
type KitWorld = KitOutside & { clock: Clock; log: RuntimeHost["log"] };

/** Builds the plugin in a folder and starts it in the sandbox. Rejects with an `Error` for its author. */
const startKitPlugin = async (start: KitStart, world: KitWorld): Promise<KitPlugin> => {
  const read = await verifyPackage(packFolder(await buildFolder(start.folder)), []);
  const { manifest } = read;
  const granted = grantedOf(manifest.permissions, start.granted);
  const given = splitSettings(manifest, start.settings);
  let stored = given.plain;
  const kv = createMemoryKv();
  const objects = createMemoryObjects();
  let runtime: PluginRuntime | null = null;
  const save = async (patch: Record<string, Json>): Promise<void> => {
    const next = splitSettings(manifest, { ...stored, ...patch });
    stored = next.plain;
    for (const [name, secret] of next.secrets) given.secrets.set(name, secret);
    await runtime?.setSettings(effectiveSettings(manifest.settings?.schema, stored));
  };
  const host = createKitHost({
    ...{ clock: world.clock, objects, kv, users: start.users, outside: world },
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
            settings: effectiveSettings(manifest.settings?.schema, stored),
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
  const placeOf = (key: string) => ({ plugin: name, key, now: world.clock.now() });
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
    kv: {
      get: async (key) => {
        const row = await kv.find(placeOf(key));
        return row === null ? undefined : JSON.parse(row.value);
      },
      set: async (key, value) =>
        kv.write({ ...placeOf(key), value: valueText(value), expiresAt: null, ifVersion: undefined }),
      keys: () => kv.keys({ ...placeOf(""), prefix: "", after: null, most: pluginLimits.kvKeys }),
    },
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
type KitCall = { method: Method; path: string; user: Principal | null; body: Json };

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
      {
        ...{ live, route, breaker: noBreaker, caller: request.ip, used: () => {} },
        log: (_, level, line) => log(level, line),
      },
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
  const secretNames = secretFields(settings?.schema);
  for (const [name, value] of Object.entries(given)) {
    if (secretNames.includes(name)) secrets.set(name, String(value));
    else plain[name] = value;
  }
  const { required: _, ...schema } = settings?.schema ?? { type: "object", additionalProperties: false };
  const problems = createSchemaCheck(schema, { compilePattern })(plain);
  if (problems.length > 0) throw new PluginBuildError("The settings do not fit the manifest", { problems });
  return { plain, secrets };
};
