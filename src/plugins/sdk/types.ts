/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Methods that a plugin's route can have. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Icons by name; a host shows any other name as Extension. */
export type Icon =
  | "Shield"
  | "Speed"
  | "Extension"
  | "Settings"
  | "Storage"
  | "Security"
  | "Analytics"
  | "Code"
  | "Person"
  | "BarChart";

/** A user as plugins see them. */
export type Principal = { id: string; name: string; role: "admin" | "user" };

/** A request to one of the plugin's routes. */
export type PluginRequest = {
  /** Id of the request, as in the logs and in `x-request-id`. */
  id: string;
  method: Method;
  /** Below `/api/{plugin}`: begins with a slash. */
  path: string;
  /** Values of the path parameters, the route's `:names`. */
  params: Record<string, string>;
  /** A parameter that is given several times is a list. */
  query: Record<string, string | string[]>;
  /** The default headers and those that the route asks for, with lowercase names; never cookies or credentials. */
  headers: Record<string, string>;
  /** The parsed JSON, `null` without a body. */
  body: Json;
  /**
   * The user who sent the request, for an API token its owner; `null` for visitors, for tokens without one, and for the
   * operator's terminal.
   */
  user: Principal | null;
  /** The API token that the request was sent with; absent without one. */
  token?: { id: string; name: string };
  /** The client's IP address. */
  ip: string;
};

/** A response with its own status or body; at most one of `json`, `text` and `base64`. */
export type PluginResponse = {
  /** 200 to 599 except 304; default 200. */
  status?: number;
  /**
   * `content-type`, `content-language`, `content-disposition`, `cache-control`, `etag`, `last-modified`, `retry-after`,
   * `x-total-count`, and names that begin with `x-plugin-`. Any other fails the request.
   */
  headers?: Record<string, string>;
  json?: Json;
  text?: string;
  base64?: string;
};

/** What {@link Ctx.respond} returns. It distinguishes a response from JSON that looks like one. */
export type Reply = { readonly $response: PluginResponse };

/** Handles a request. JSON is sent with status 200, a {@link Reply} with its own status. */
export type Handler = (
  request: PluginRequest,
) => Json | Reply | undefined | Promise<Json | Reply | undefined>;

/** A possible response of a route, for the API's description. */
export type RouteAnswer = {
  /** When the route responds with it, in one sentence. */
  description: string;
  /** JSON Schema of the JSON body. By default, errors (400 and above) have the API's usual form. */
  schema?: Json;
  /** An example that fits the schema. Generated from the schema by default. */
  example?: Json;
  /** Formats other than JSON: an example of each, by media type. */
  texts?: { [mediaType: string]: string };
};

/** Options of a route. */
export type RouteOptions = {
  /** Default `admin`; `user` and `public` need the permission of that name. */
  access?: "admin" | "user" | "public";
  /**
   * What a session must have proven within the last ten minutes: nothing, a sign-in, or the user's second factor if they have
   * one. Default `recent` for routes of admins that aren't `GET`, otherwise `none`. API tokens and the operator are never asked.
   */
  proof?: "none" | "recent" | "factor";
  /**
   * Names of headers that the handler gets in addition to `accept`, `accept-language`, `content-type`, `user-agent` and
   * `if-none-match`; at most 20. Headers that identify someone are not available: cookies, `authorization`, proxy headers.
   */
  headers?: string[];
  /** JSON Schema of the body; the host refuses a body that doesn't fit with 422. Without a schema, no body is read. */
  body?: Json;
  /** JSON Schema of the query as one object. */
  query?: Json;
  /** Descriptions of the path parameters, for the API's description. */
  params?: { [name: string]: string };
  /** JSON Schema of the body of a 200 response, for the API's description. */
  response?: Json;
  /**
   * All responses of the handler by status, 200 to 599, for the API's description. Without it, the description leaves
   * other responses open. The host describes the errors that it sends before the handler runs.
   */
  answers?: { [status: string]: RouteAnswer };
  /** A few words, for the API's description. */
  summary?: string;
  /** What the request does and changes, at most 2,000 characters, for the API's description. */
  description?: string;
};

type AddRoute = {
  (path: string, handler: Handler): void;
  (path: string, options: RouteOptions, handler: Handler): void;
};

/** Routes below `/api/{plugin}`; a path can contain `:names`, each for one segment. Needs `routes`. */
export type Routes = { get: AddRoute; post: AddRoute; put: AddRoute; patch: AddRoute; delete: AddRoute };

/**
 * Small values by key, shared by all replicas: at most 64 KB per value, 10,000 keys of at most 200 characters. Needs
 * `storage.kv`.
 */
export type Kv = {
  get(key: string): Promise<Json | undefined>;
  /** The value with its version, for a later `ifVersion`. */
  entry(key: string): Promise<{ value: Json; version: number } | undefined>;
  /**
   * With `ifVersion`, only replaces exactly that version (0: only if the key has no value); throws `CONFLICT`
   * otherwise.
   */
  set(
    key: string,
    value: Json,
    options?: { ttlMs?: number; ifVersion?: number },
  ): Promise<{ version: number }>;
  /** Whether the key had a value. */
  delete(key: string): Promise<boolean>;
  /** Keys in order, 100 per page by default (at most 1,000); pass `cursor` to get the next page. */
  list(
    prefix?: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<{ keys: string[]; cursor: string | null }>;
  /** Adds to a number atomically; a missing value counts as 0. */
  incr(key: string, by?: number, options?: { ttlMs?: number }): Promise<number>;
};

/**
 * Private files of the plugin, at most 1 MB each and 1,000 in total. Needs `storage.files.read` or
 * `storage.files.write`.
 */
export type Files = {
  read(path: string): Promise<{ base64: string; type: string } | undefined>;
  write(path: string, file: { text?: string; base64?: string; type?: string }): Promise<void>;
  list(prefix?: string): Promise<{ path: string; sizeBytes: number; type: string }[]>;
  delete(path: string): Promise<boolean>;
};

/** The settings that admins enter, described by the manifest's schema. Reading needs no permission. */
export type Settings = {
  /** Available immediately, without secrets. */
  get(key: string): Json | undefined;
  all(): Readonly<Record<string, Json>>;
  /** Needs `settings.write`. Values that don't fit the schema throw `INVALID`. */
  set(patch: Record<string, Json>): Promise<void>;
  /** Calls `listener` after each change. */
  onChange(listener: (next: Readonly<Record<string, Json>>) => void | Promise<void>): void;
};

/** An entry for the activity log; the host adds the plugin's name, the time and the replica. */
export type ActivityInput = {
  type: "api_call" | "admin_action" | "configuration_changed" | "suspicious_activity" | "health_check_failed";
  action: string;
  description?: string;
  status?: "success" | "failure" | "warning" | "info";
  severity?: "low" | "medium" | "high" | "critical";
  durationMs?: number;
};

/** A rule that the host applies to requests before anything else. */
export type GuardRule =
  | { kind: "ip"; action: "block" | "allow"; cidrs: string[] }
  | { kind: "country"; action: "block" | "allow"; codes: string[] }
  | {
      kind: "pattern";
      action: "block" | "log";
      in: ("path" | "query" | "user-agent")[];
      contains?: string[];
      prefix?: string[];
    }
  | { kind: "rate"; key: "ip" | "ip+path" | "user"; windowMs: number; max: number; message?: string };

/**
 * Rules for requests: at most 100 with 1,000 entries each, 5,000 entries and 50,000 characters in total, set at most ten
 * times per minute. Needs `request.rules`.
 */
export type Guard = {
  /** Replaces all of the plugin's rules together, on every replica. */
  setRules(rules: GuardRule[]): Promise<void>;
  /** How often each rule applied since it was set, on this replica. */
  stats(): Promise<RuleHits[]>;
};

/** How often a rule applied; `inert`: it can't apply on this server, because `GEOIP_DB` is not set. */
export type RuleHits = { rule: number; hits: number; inert?: true };

/** What a plugin sends with `ctx.fetch`. */
export type FetchInit = {
  method?: "GET" | "HEAD" | Method;
  headers?: Record<string, string>;
  /** At most 1 MB. */
  text?: string;
  base64?: string;
  /** At most 10,000. */
  timeoutMs?: number;
};

/** The response, with a body of at most 5 MB. */
export type FetchResult = {
  status: number;
  headers: Record<string, string>;
  /** The body as text; throws if it is not UTF-8. */
  text(): string;
  json(): Json;
  readonly base64: string;
};

/** Events of the application that plugins can listen to, with their data. Needs `events`. */
export type EventPayloads = {
  "user.login": { userId: string };
  "user.registered": { userId: string };
  "plugin.state": { name: string; state: string };
  "settings.changed": { section: string };
};
export type EventName = keyof EventPayloads;

/** What the host provides to a plugin. Each call is counted, and checked against the granted permissions. */
export type Ctx = {
  readonly plugin: {
    readonly name: string;
    readonly version: string;
    /** The granted permissions. */
    readonly permissions: readonly string[];
    /** Id of the running server. */
    readonly replica: string;
  };
  readonly routes: Routes;
  readonly kv: Kv;
  readonly files: Files;
  readonly settings: Settings;
  /** Fields of the settings that the schema marks with `x-secret`. Needs `secrets.read`. */
  readonly secrets: { get(key: string): Promise<string | undefined> };
  /** Needs `activity.write`. */
  readonly activity: { log(entry: ActivityInput): Promise<void> };
  /** Runs `job` on one of the replicas every `everyMs` (at least 1,000). Needs `schedule`. */
  readonly schedule: { every(name: string, everyMs: number, job: () => void | Promise<void>): void };
  /** Needs `users.read`. */
  readonly users: { get(id: string): Promise<Principal | undefined> };
  /**
   * At most 100 emails per hour, to users of this site. Needs `mail.send`; any other address fails with `INVALID` unless
   * `mail.send:anyone` is also granted.
   */
  readonly mail: { send(mail: { to: string; subject: string; text: string }): Promise<void> };
  readonly guard: Guard;
  /** Calls a route of another plugin. Needs `plugins.call` with its name. */
  readonly plugins: {
    call(name: string, method: Method, path: string, body?: Json): Promise<PluginResponse>;
  };
  /** Only reaches the granted hosts. Needs `net.fetch`. */
  fetch(url: string, init?: FetchInit): Promise<FetchResult>;
  /** Listens to events on this replica. */
  on<E extends EventName>(event: E, listener: (payload: EventPayloads[E]) => void | Promise<void>): void;
  /** Writes to the plugin's log, at most 100 lines per minute. */
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
  /** Makes a response with its own status, headers or body type. */
  respond(response: PluginResponse): Reply;
};

/** How the plugin is shown in the admin area. */
export type AdminPanel = {
  enabled: boolean;
  menuItem?: { title?: string; description?: string; icon?: string; path?: string };
  card?: { title?: string; description?: string; icon?: string; color?: string; buttonText?: string };
};

/** Result of a health check. */
export type Health = { ok: boolean; detail?: string };

/** The default export of a plugin's backend. `name` and `version` are those of the manifest. */
export type PluginDefinition<C extends Ctx = Ctx> = {
  name: string;
  version: string;
  description?: string;
  /** Overrides the manifest's panel, field by field. */
  adminPanel?: AdminPanel;
  /** Registers routes, jobs and listeners within five seconds; nothing can be added afterwards. */
  setup(ctx: C): void | Promise<void>;
  /** Called every 30 s; three failures in a row restart the plugin. */
  health?(): Health | Promise<Health>;
  /** Migrates stored data from version `from` to this one, once, before the new version is activated. */
  migrate?(ctx: C, from: string): void | Promise<void>;
  /** Has two seconds to clean up. */
  teardown?(reason: TeardownReason): void | Promise<void>;
};

/** Why a plugin is stopped. */
export type TeardownReason = "disable" | "update" | "remove" | "shutdown";
