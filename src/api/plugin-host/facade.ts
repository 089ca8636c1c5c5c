import type { Ctx, FetchResult, Handler, Health, Json, Method, RouteOptions } from "#plugins/sdk/types.ts";
import type { Registration } from "./runtime.ts";

/** What the facade needs from the runtime. */
export type FacadeHost = {
  /**
   * Calls the host; optional arguments that are not given are `null`. Arguments may not be JSON: the runtime converts
   * them, so that both runtimes pass the same. Rejects with a `HostFault`.
   */
  call(op: string, args: unknown[]): Promise<Json | undefined>;
  log(level: "debug" | "info" | "warn" | "error", message: string): void;
  /** The text in `base64`; throws if it is not UTF-8. */
  decodeText(base64: string): string;
};

/** What the facade tells a plugin about itself, and how much the plugin can register. */
export type FacadeProgram = {
  name: string;
  version: string;
  permissions: readonly string[];
  replica: string;
  settings: Readonly<Record<string, Json>>;
  most: { routes: number; jobs: number; listeners: number };
};

/** A plugin behind its `ctx`. Calls throw what the plugin throws, synchronously or in the promise. */
export type Facade = {
  /** Checks the default export of a bundle and runs its setup. Throws an `Error` for the author. */
  start(definition: unknown): Promise<Registration>;
  /**
   * Runs a handler. A route returns JSON, `undefined`, or `{ $response }`, which is always a response made by
   * `ctx.respond`, never data that looks like one. Jobs and listeners have no result.
   */
  invoke(handler: string, payload: Json): unknown;
  setSettings(next: Readonly<Record<string, Json>>): Promise<void>;
  health(): Promise<Health>;
  migrate(from: string): Promise<void>;
  teardown(reason: string): Promise<void>;
};

/**
 * Makes `ctx` and keeps what is registered with it. The sandbox evaluates the source text of this function in its
 * interpreter: it uses nothing from outside except the standard objects of ECMAScript.
 */
export const createFacade = (host: FacadeHost, program: FacadeProgram, extras: object = {}): Facade => {
  const { freeze, fromEntries, entries, hasOwn } = Object;
  const { parse, stringify } = JSON;
  const { isArray } = Array;

  type Run = (payload: never) => unknown;
  const handlers = new Map<string, { run: Run; isRoute: boolean }>();
  const replies = new WeakSet<object>();
  const changeListeners: ((next: Readonly<Record<string, Json>>) => unknown)[] = [];
  const registered: Pick<Registration, "routes" | "jobs" | "listeners"> = {
    routes: [],
    jobs: [],
    listeners: [],
  };
  let isOpen = true;
  let settings = freeze({ ...program.settings });
  let plugin: Record<string, unknown> = {};

  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  const isPromise = (value: unknown): value is PromiseLike<unknown> =>
    isObject(value) && typeof value.then === "function";

  const call = (op: string, ...args: unknown[]): Promise<Json | undefined> =>
    host
      .call(
        op,
        args.map((arg) => arg ?? null),
      )
      .catch((fault: unknown) => {
        const { name, message } = isObject(fault) ? fault : { name: "FAILED", message: fault };
        const error = new Error(String(message));
        error.name = String(name);
        throw error;
      });

  /** The host responds to each operation in the shape of the author's types. */
  const ask = <T>(op: string, ...args: unknown[]): Promise<T> => call(op, ...args) as Promise<T>;

  const tell = async (op: string, ...args: unknown[]): Promise<void> => {
    await call(op, ...args);
  };

  const register = (kind: "routes" | "jobs" | "listeners", run: unknown): string => {
    if (!isOpen) throw new Error("Routes, jobs and listeners can be added only while setup runs");
    if (typeof run !== "function") throw new TypeError("A handler must be a function");
    const count = registered[kind].length;
    if (count >= program.most[kind])
      throw new RangeError(`A plugin has at most ${program.most[kind]} ${kind}`);
    const handler = `${kind[0]}${count}`;
    handlers.set(handler, { run: run as Run, isRoute: kind === "routes" });
    return handler;
  };

  const requireText = (value: unknown, what: string): string => {
    if (typeof value !== "string" || value === "" || value.length > 200)
      throw new TypeError(`${what} must be a text of 1 to 200 characters`);
    return value;
  };

  const asJson = (value: unknown, what: string): Json => {
    try {
      return parse(stringify(value ?? null));
    } catch {
      throw new TypeError(`${what} must be JSON`);
    }
  };

  const addRoute =
    (method: Method) =>
    (path: string, second: RouteOptions | Handler, third?: Handler): void => {
      const given = typeof second === "function" ? {} : second;
      const options: Record<string, unknown> = isObject(given) ? given : {};
      const where = `${method} ${requireText(path, "A route's path")}`;
      if (path[0] !== "/") throw new TypeError(`A route's path begins with a slash: ${where}`);
      const access = options.access ?? "admin";
      if (access !== "admin" && access !== "user" && access !== "public")
        throw new TypeError(`The access of a route is admin, user or public: ${where}`);
      const proof = options.proof ?? null;
      if (proof !== null && proof !== "none" && proof !== "recent" && proof !== "factor")
        throw new TypeError(`The proof of a route is none, recent or factor: ${where}`);
      const headers: unknown = options.headers ?? [];
      if (!isArray(headers) || headers.length > 20 || !headers.every((name) => typeof name === "string"))
        throw new TypeError(`The headers of a route are a list of at most 20 names: ${where}`);
      const handler = register("routes", typeof second === "function" ? second : third);
      registered.routes.push({
        handler,
        method,
        path,
        access,
        proof,
        headers: headers.map((name) => name.toLowerCase()),
        body: asJson(options.body, `The body's schema of ${where}`),
        query: asJson(options.query, `The query's schema of ${where}`),
        params: asJson(options.params, `The params of ${where}`),
        response: asJson(options.response, `The response's schema of ${where}`),
        answers: asJson(options.answers, `The answers of ${where}`),
        summary: typeof options.summary === "string" ? options.summary.slice(0, 200) : null,
        description: typeof options.description === "string" ? options.description.slice(0, 2_000) : null,
      });
    };

  const fetchResult = (answer: { status: number; headers: Record<string, string>; base64: string }) => {
    const text = (): string => host.decodeText(answer.base64);
    const result: FetchResult = { ...answer, text, json: () => parse(text()) };
    return freeze(result);
  };

  const ctx: Ctx = {
    plugin: freeze({
      name: program.name,
      version: program.version,
      permissions: freeze([...program.permissions]),
      replica: program.replica,
    }),
    routes: freeze({
      get: addRoute("GET"),
      post: addRoute("POST"),
      put: addRoute("PUT"),
      patch: addRoute("PATCH"),
      delete: addRoute("DELETE"),
    }),
    kv: freeze({
      get: (key) => call("kv.get", key),
      entry: (key) => ask("kv.entry", key),
      set: (key, value, options) => ask("kv.set", key, value, options),
      delete: (key) => ask("kv.delete", key),
      list: (prefix, options) => ask("kv.list", prefix, options),
      incr: (key, by, options) => ask("kv.incr", key, by, options),
    }),
    files: freeze({
      read: (path) => ask("files.read", path),
      write: (path, file) => tell("files.write", path, file),
      list: (prefix) => ask("files.list", prefix),
      delete: (path) => ask("files.delete", path),
    }),
    settings: freeze({
      get: (key) => (hasOwn(settings, key) ? settings[key] : undefined),
      all: () => settings,
      set: (patch) => tell("settings.set", patch),
      onChange: (listener) => {
        if (!isOpen) throw new Error("Listeners can be added only while setup runs");
        if (typeof listener !== "function") throw new TypeError("A listener must be a function");
        changeListeners.push(listener);
      },
    }),
    secrets: freeze({ get: (key) => ask("secrets.get", key) }),
    activity: freeze({ log: (entry) => tell("activity.log", entry) }),
    schedule: freeze({
      every: (name, everyMs, job) => {
        requireText(name, "A job's name");
        if (!Number.isSafeInteger(everyMs)) throw new TypeError("everyMs must be a whole number");
        if (registered.jobs.some((other) => other.name === name))
          throw new Error(`A job named ${name} already exists`);
        registered.jobs.push({ handler: register("jobs", job), name, everyMs });
      },
    }),
    users: freeze({ get: (id) => ask("users.get", id) }),
    mail: freeze({ send: (mail) => tell("mail.send", mail) }),
    guard: freeze<Ctx["guard"]>({
      setRules: (rules) => tell("guard.setRules", rules),
      stats: () => ask("guard.stats"),
    }),
    plugins: freeze({
      call: (name, method, path, body) => ask("plugins.call", name, method, path, body),
    }),
    fetch: async (url, init) => fetchResult(await ask("fetch", String(url), init)),
    on: (event, listener) => {
      requireText(event, "An event's name");
      registered.listeners.push({ handler: register("listeners", listener), event });
    },
    log: (level, message, data) => {
      const isLevel = level === "debug" || level === "warn" || level === "error";
      const line = data === undefined ? String(message) : `${message} ${stringify(data)}`;
      host.log(isLevel ? level : "info", line);
    },
    respond: (response) => {
      const reply = freeze({ $response: response });
      replies.add(reply);
      return reply;
    },
  };
  const wholeCtx = freeze({ ...ctx, ...extras });

  const checkDefinition = (definition: unknown): Record<string, unknown> => {
    if (!isObject(definition)) throw new TypeError("The backend has no default export: a plugin definition");
    for (const field of ["name", "version"] as const) {
      const said = definition[field];
      if (typeof said !== "string") throw new TypeError(`The backend's default export has no ${field}`);
      if (said !== program[field])
        throw new Error(
          `The backend's ${field} is ${said.slice(0, 80)}, but the manifest's is ${program[field]}`,
        );
    }
    if (typeof definition.setup !== "function")
      throw new TypeError("The backend's default export has no setup function");
    return definition;
  };

  /** Runs one of the plugin's own functions, as a method of its definition. */
  const run = async (name: string, ...args: unknown[]): Promise<unknown> => {
    const method = plugin[name];
    return typeof method === "function" ? method.apply(plugin, args) : undefined;
  };

  const outcome = (value: unknown): unknown => {
    if (!isObject(value) || !hasOwn(value, "$response") || replies.has(value)) return value;
    // A visitor may have sent this data: it must not set the response's status and headers.
    return { $response: { json: fromEntries(entries(value)) } };
  };

  return {
    start: async (definition) => {
      plugin = checkDefinition(definition);
      const { name, version } = program;
      try {
        await run("setup", wholeCtx);
      } finally {
        isOpen = false;
      }
      return {
        name,
        version,
        description: typeof plugin.description === "string" ? plugin.description.slice(0, 500) : null,
        adminPanel: asJson(plugin.adminPanel, "adminPanel") as Registration["adminPanel"],
        ...registered,
        hasHealth: typeof plugin.health === "function",
        hasMigrate: typeof plugin.migrate === "function",
      };
    },
    invoke: (handler, payload) => {
      const entry = handlers.get(handler);
      if (entry === undefined) throw new Error(`There is no handler ${handler}`);
      const value = entry.run(payload as never);
      if (!entry.isRoute) return isPromise(value) ? value.then(() => undefined) : undefined;
      return isPromise(value) ? value.then(outcome) : outcome(value);
    },
    setSettings: async (next) => {
      settings = freeze({ ...next });
      for (const listener of changeListeners) {
        try {
          await listener(settings);
        } catch (error) {
          host.log("error", `A listener for settings failed: ${error}`);
        }
      }
    },
    health: async () => {
      const said = typeof plugin.health === "function" ? await run("health") : { ok: true };
      if (!isObject(said)) return { ok: false, detail: "health returned no object" };
      const detail = typeof said.detail === "string" ? { detail: said.detail.slice(0, 500) } : {};
      return { ok: said.ok === true, ...detail };
    },
    migrate: async (from) => void (await run("migrate", wholeCtx, from)),
    teardown: async (reason) => void (await run("teardown", reason)),
  };
};
