import type {
  ArrivingRequest,
  CoreManager,
  Look,
  NativeCtx,
  RequestInspector,
} from "#plugins/sdk/native-types.ts";
import type {
  ActivityInput,
  Handler,
  Json,
  Method,
  PluginRequest,
  PluginResponse,
  Principal,
} from "#plugins/sdk/types.ts";
import { isInRange, networkOf, type Range, readRange } from "../rules/range.ts";
import { createFakeKv, type FakeKv } from "./fake-kv.ts";

/** Who calls, and with what. */
type FakeCall = {
  body?: unknown;
  query?: Record<string, string>;
  user?: Principal | null;
  /** Without an owner: then `user` is `null`. */
  token?: { id: string; name: string };
  /** The plugin that calls: then `user` is `null`. */
  plugin?: string;
  ip?: string;
};

/** A request before the firewall; a visitor's page unless told. */
export type FakeRequest = Partial<Omit<ArrivingRequest, "headers">> & {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  user?: Principal | null;
};

/** What became of a request: the answer that stopped it, or what the application's answer gets besides. */
type FakeExchange = { stopped: Response | null; headers: Record<string, string>; id: string };

/** A host in memory around the plugin. */
export type FakeHost = {
  ctx: NativeCtx;
  kv: FakeKv;
  activities: ActivityInput[];
  logs: string[];
  /** What the host has of settings; other replicas share it. */
  shared: SharedSettings;
  countries: Map<string, string>;
  manager(): CoreManager | null;
  inspector(): RequestInspector | null;
  call(method: Method, path: string, call?: FakeCall): Promise<{ status: number; json: Json; text: string }>;
  /** Lets a request through as the pipeline does. */
  pass(request?: FakeRequest): Promise<FakeExchange>;
};

/** Settings that replicas share, with who hears of changes. */
export type SharedSettings = {
  values: Record<string, Json>;
  listeners: ((next: Readonly<Record<string, Json>>) => void | Promise<void>)[];
  /** `null`, or what saving throws. */
  fault: Error | null;
  /** Who hears of signals. */
  signals: ((topic: string | null) => void)[];
  /** When requests were counted, by their keys. */
  rates: Map<string, number[]>;
};

export const admin: Principal = { id: "a-1", name: "Ada", role: "admin" };
export const otherAdmin: Principal = { id: "a-2", name: "Bo", role: "admin" };
export const member: Principal = { id: "u-1", name: "Cy", role: "user" };
export const adminIp = "203.0.113.9";

/** Nothing is saved yet. */
export const createSharedSettings = (): SharedSettings => ({
  ...{ values: {}, listeners: [], fault: null, signals: [], rates: new Map() },
});

type Options = {
  now(): number;
  kv?: FakeKv;
  shared?: SharedSettings;
  replica?: string;
  knowsCountries?: boolean;
  routes?: ReturnType<NativeCtx["host"]["routes"]>;
};

const unused = (): never => {
  throw new Error("the plugin does not use this");
};

/** A host for one replica; `kv` and `shared` are what replicas have in common. */
export const createFakeHost = ({
  now,
  kv = createFakeKv(now),
  shared = createSharedSettings(),
  replica = "replica-1",
  knowsCountries = true,
  routes = [],
}: Options): FakeHost => {
  const activities: ActivityInput[] = [];
  const logs: string[] = [];
  const countries = new Map<string, string>();
  const handlers: { method: Method; path: string; handler: Handler }[] = [];
  let inspector: RequestInspector | null = null;
  let manager: CoreManager | null = null;

  const add =
    (method: Method) =>
    (path: string, second: unknown, third?: Handler): void => {
      handlers.push({ method, path, handler: third ?? asHandler(second) });
    };
  const ctx: NativeCtx = {
    plugin: { name: "firewall", version: "1.0.0", permissions: [], replica },
    routes: {
      get: add("GET"),
      post: add("POST"),
      put: add("PUT"),
      patch: add("PATCH"),
      delete: add("DELETE"),
    },
    kv,
    files: { read: unused, write: unused, list: unused, delete: unused },
    settings: {
      get: (key) => shared.values[key],
      all: () => shared.values,
      set: async (patch) => {
        if (shared.fault !== null) throw shared.fault;
        shared.values = { ...shared.values, ...patch };
        for (const listener of shared.listeners) await listener(shared.values);
      },
      onChange: (listener) => void shared.listeners.push(listener),
    },
    secrets: { get: unused },
    activity: { log: async (entry) => void activities.push(entry) },
    schedule: { every: unused },
    users: { get: unused },
    mail: { send: unused },
    guard: { setRules: unused, stats: unused },
    plugins: { call: unused },
    fetch: unused,
    on: unused,
    log: (level, message) => void logs.push(`${level} ${message}`),
    respond: (response) => ({ $response: response }),
    request: {
      before: unused,
      inspect: (given) => {
        inspector = given;
      },
    },
    response: { shape: unused },
    app: { mount: unused },
    host: {
      appUrl: "http://localhost:3000",
      networkOf,
      manageCore: (given) => {
        manager = given;
      },
      coreLimit: () => ({
        ...{ windowMs: 60_000, maxRequests: 3, message: "Slow down" },
        ...{ skipAdminRoutes: true, skipPluginRoutes: true },
      }),
      takeRate: (key, { windowMs, max }) => {
        const recent = (shared.rates.get(key) ?? []).filter((at) => now() - at < windowMs);
        const isAllowed = recent.length < max;
        if (isAllowed) recent.push(now());
        shared.rates.set(key, recent);
        return {
          isAllowed,
          remaining: max - recent.length,
          resetMs: windowMs - (now() - (recent[0] ?? now())),
        };
      },
      signal: (topic) => {
        for (const listener of shared.signals) listener(topic);
      },
      onSignal: (listener) => void shared.signals.push(listener),
      counting: "memory",
      knowsCountries,
      countryOf: (ip) => countries.get(ip) ?? null,
      addressTest: (ranges) => {
        const read = ranges.map(rangeOf);
        return (ip) => read.findIndex((range) => isInRange(ip, range));
      },
      routes: () => routes,
      pageFiles: () => ({ scripts: [], styles: [] }),
    },
  };

  const call: FakeHost["call"] = async (
    method,
    path,
    { body = null, query = {}, user = admin, token, plugin, ip } = {},
  ) => {
    for (const route of handlers) {
      const params = paramsOf(route.path, path);
      if (route.method !== method || params === null) continue;
      const request: PluginRequest = {
        ...{
          id: crypto.randomUUID(),
          method,
          path,
          params,
          query,
          headers: plugin === undefined ? {} : { "x-atrium-plugin": plugin },
          user,
          ...(token && { token }),
        },
        body: JSON.parse(JSON.stringify(body)),
        ip: ip ?? (user === null ? "local" : adminIp),
      };
      const value = await route.handler(request);
      const response = responseOf(value);
      return { status: response.status ?? 200, json: response.json ?? null, text: response.text ?? "" };
    }
    throw new Error(`there is no route ${method} ${path}`);
  };

  const pass: FakeHost["pass"] = async ({ headers, body, user = null, ...rest } = {}) => {
    const request: ArrivingRequest = {
      ...{ id: crypto.randomUUID(), method: "GET", path: "/", query: "", ip: "198.51.100.1" },
      ...{
        country: countries.get(rest.ip ?? "198.51.100.1") ?? null,
        isCall: rest.path?.startsWith("/api") ?? false,
      },
      ...{ route: null, ...rest },
      headers: new Headers(headers),
    };
    const passed = await inspect(inspector, { request, body, user });
    const status = passed.stopped?.status ?? 200;
    inspector?.done?.(request, { status, durationMs: 1.25, user: passed.isKnown ? user : null });
    return { stopped: passed.stopped, headers: passed.headers, id: request.id };
  };

  return {
    ...{ ctx, kv, activities, logs, shared, countries, call, pass },
    inspector: () => inspector,
    manager: () => manager,
  };
};

/** What is registered as a handler is one. */
const asHandler = (value: unknown): Handler => {
  if (typeof value !== "function") throw new TypeError("a handler is missing");
  return (request) => value(request);
};

const rangeOf = (text: string): Range => {
  const range = readRange(text);
  if (range === null) throw new TypeError(`${text} is no range`);
  return range;
};

const paramsOf = (template: string, path: string): Record<string, string> | null => {
  const [names, parts] = [template.split("/"), path.split("/")];
  if (names.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    if (name.startsWith(":")) params[name.slice(1)] = parts[index] ?? "";
    else if (name !== parts[index]) return null;
  }
  return params;
};

const responseOf = (value: unknown): PluginResponse => {
  const reply: { $response?: PluginResponse } = Object(value);
  return reply.$response ?? { json: JSON.parse(JSON.stringify(value ?? null)) };
};

type Inspected = { request: ArrivingRequest; body: string | Uint8Array | undefined; user: Principal | null };

/** As the pipeline asks: what arrived, the body, who it is; an admin is spared where the plugin says so. */
const inspect = async (
  inspector: RequestInspector | null,
  { request, body, user }: Inspected,
): Promise<{ stopped: Response | null; headers: Record<string, string>; isKnown: boolean }> => {
  const headers: Record<string, string> = {};
  if (inspector === null || inspector.isIdle) return { stopped: null, headers, isKnown: false };
  let isKnown = false;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const steps: (() => Look | Promise<Look>)[] = [
    () => inspector.arrive?.(request),
    () => {
      const wanted = bytes === undefined ? 0 : (inspector.bodyBytes?.(request) ?? 0);
      if (bytes === undefined || wanted === 0) return undefined;
      return inspector.body?.(request, bytes.subarray(0, wanted), bytes.length <= wanted);
    },
    () => {
      if (inspector.needsPerson?.(request) !== true) return undefined;
      isKnown = true;
      return inspector.person?.(request, user);
    },
  ];
  for (const step of steps) {
    const look = await step();
    if (look === undefined) continue;
    if ("headers" in look) {
      Object.assign(headers, look.headers);
      continue;
    }
    isKnown ||= look.sparesAdmins;
    if (look.sparesAdmins && user?.role === "admin") look.spared?.(user);
    else return { stopped: look.answer(), headers, isKnown };
  }
  return { stopped: null, headers, isKnown: true };
};
