import type { NativeCtx, ResponseShaper } from "#plugins/sdk/native-types.ts";
import type {
  ActivityInput,
  EventName,
  Handler,
  Json,
  PluginRequest,
  RouteOptions,
} from "#plugins/sdk/types.ts";
import { createFakeKv } from "./fake-kv.ts";

type Answer = { status: number; headers: Record<string, string>; json: Json };

/** A host in memory around the plugin: what it registered, and what it did. */
export type FakeHost = {
  ctx: NativeCtx;
  kv: ReturnType<typeof createFakeKv>;
  activities: ActivityInput[];
  readonly shaper: ResponseShaper;
  routes: Map<string, RouteOptions>;
  call(route: string, request?: Partial<PluginRequest>): Promise<Answer>;
  /** Tells the plugin of settings that it changed itself: until then it has not heard of them. */
  deliver(): Promise<void>;
  /** Changes settings as another server does. */
  tellSettings(patch: Record<string, Json>): Promise<void>;
  emit(event: EventName): void;
  runJob(name: string): Promise<void>;
};

/** Begins with the given settings; pages are `/`, `/about` and all below `/admin/plugins/`. */
export const createFakeHost = (now: () => number, initial: Record<string, Json> = {}): FakeHost => {
  const kv = createFakeKv(now);
  const activities: ActivityInput[] = [];
  const handlers = new Map<string, Handler>();
  const routes = new Map<string, RouteOptions>();
  const jobs = new Map<string, () => unknown>();
  const listeners: ((next: Readonly<Record<string, Json>>) => unknown)[] = [];
  const events: { event: string; listener: () => unknown }[] = [];
  const taken = new Map<string, number>();
  let settings: Record<string, Json> = { ...initial };
  let untold: Record<string, Json> = {};
  let shaper: ResponseShaper | null = null;

  const add =
    (method: string) =>
    (path: string, options: RouteOptions, handler: Handler): void => {
      routes.set(`${method} ${path}`, options);
      handlers.set(`${method} ${path}`, handler);
    };
  const isPage = (path: string) => path === "/" || path === "/about" || path.startsWith("/admin/plugins/");
  const tellSettings = async (patch: Record<string, Json>): Promise<void> => {
    settings = { ...settings, ...patch };
    for (const listener of listeners) await listener(settings);
  };
  const ctx = asCtx({
    plugin: { replica: "here" },
    kv,
    routes: { get: add("GET"), post: add("POST"), put: add("PUT"), delete: add("DELETE") },
    settings: {
      all: () => settings,
      // The host tells of it later, as it does to all servers.
      set: async (patch: Record<string, Json>) => {
        untold = { ...untold, ...patch };
      },
      onChange: (listener: (next: Readonly<Record<string, Json>>) => unknown) => listeners.push(listener),
    },
    activity: { log: async (entry: ActivityInput) => void activities.push(entry) },
    schedule: { every: (name: string, _everyMs: number, job: () => unknown) => void jobs.set(name, job) },
    on: (event: string, listener: () => unknown) => void events.push({ event, listener }),
    log: () => {},
    respond: (response: object) => ({ $response: response }),
    response: {
      shape: (given: ResponseShaper) => {
        shaper = given;
      },
    },
    host: {
      appUrl: "http://localhost:1",
      pageFiles: (path: string) => ({ scripts: isPage(path) ? ["/assets/a.js"] : [], styles: [] }),
      networkOf: (ip: string) => ip.split(":", 4).join(":"),
      takeRate: (key: string, { max }: { max: number }) => {
        const count = (taken.get(key) ?? 0) + 1;
        taken.set(key, count);
        return { isAllowed: count <= max, remaining: Math.max(0, max - count), resetMs: 60_000 };
      },
    },
  });

  return {
    ctx,
    kv,
    activities,
    routes,
    get shaper() {
      if (shaper === null) throw new Error("the plugin has no shaper");
      return shaper;
    },
    call: async (route, request = {}) => {
      const outcome = await handlers.get(route)?.({ ...plainRequest, ...request });
      const own = outcome === undefined ? { status: 204 } : Reflect.get(Object(outcome), "$response");
      return { status: 200, headers: {}, json: outcome ?? null, ...own };
    },
    deliver: async () => {
      const patch = untold;
      untold = {};
      await tellSettings(patch);
    },
    tellSettings,
    emit: (event) => {
      for (const one of events) if (one.event === event) one.listener();
    },
    runJob: async (name) => void (await jobs.get(name)?.()),
  };
};

const plainRequest: PluginRequest = {
  id: "1",
  method: "GET",
  path: "/",
  params: {},
  query: {},
  headers: {},
  body: null,
  user: { id: "1", name: "Ada", role: "admin" },
  ip: "192.0.2.1",
};

/** Has what this plugin uses of a host. */
const asCtx = (part: object): NativeCtx => part as NativeCtx;
