/** Everything that JSON can hold. */
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

/** A person as plugins may know them. */
export type Principal = { id: string; name: string; role: "admin" | "user" };

/** A call of one of the plugin's routes. */
export type PluginRequest = {
  /** Id of the request, as in the logs and in `x-request-id`. */
  id: string;
  method: Method;
  /** Below `/api/{plugin}`: begins with a slash. */
  path: string;
  /** What stands at the places of the route's `:names`. */
  params: Record<string, string>;
  /** A name that is given several times is a list. */
  query: Record<string, string | string[]>;
  /** The usual ones and those that the route names, with names in lower case; never cookies or credentials. */
  headers: Record<string, string>;
  /** The parsed JSON, `null` without a body. */
  body: Json;
  /** Who calls; `null` for visitors and for the operator's terminal. */
  user: Principal | null;
  /** The caller's address. */
  ip: string;
};

/** An answer with a status or a body of its own kind; at most one of `json`, `text` and `base64`. */
export type PluginResponse = {
  /** 200 to 599 except 304; 200 unless given. */
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

/** What {@link Ctx.respond} makes: tells an answer apart from JSON that looks like one. */
export type Reply = { readonly $response: PluginResponse };

/** Answers a call: JSON is sent with status 200, a {@link Reply} as it says. */
export type Handler = (
  request: PluginRequest,
) => Json | Reply | undefined | Promise<Json | Reply | undefined>;

/** What a call of a route can come to, for the API's description. */
export type RouteAnswer = {
  /** When it is answered, in a sentence. */
  description: string;
  /** JSON Schema of what is answered as JSON. Refusals, 400 and above, are of the API's usual form unless given. */
  schema?: Json;
  /** Such an answer; it must fit the schema. Made from the schema unless given. */
  example?: Json;
  /** Other forms than JSON in which it can be had: an example of each by its media type. */
  texts?: { [mediaType: string]: string };
};

/** How a route may be called. */
export type RouteOptions = {
  /** `admin` unless given; `user` and `public` need the permission of that name. */
  access?: "admin" | "user" | "public";
  /**
   * Names of headers that the handler wants to see besides `accept`, `accept-language`, `content-type`, `user-agent` and
   * `if-none-match`; at most 20. Never those that tell who somebody is: cookies, `authorization`, what proxies add.
   */
  headers?: string[];
  /** JSON Schema of the body; the host refuses what does not fit, with 422. A body is read only where there is one. */
  body?: Json;
  /** JSON Schema of the query as one object. */
  query?: Json;
  /** What the `:names` of the path stand for, in words, for the API's description. */
  params?: { [name: string]: string };
  /** JSON Schema of what a call with status 200 answers: for the API's description. */
  response?: Json;
  /**
   * All that the handler itself answers, by status, 200 to 599: for the API's description. Without it the description
   * leaves open what else may be answered. What the host refuses before the handler is described by the host.
   */
  answers?: { [status: string]: RouteAnswer };
  /** In a few words, for the API's description. */
  summary?: string;
  /** What the call is for and what it changes, in sentences of 2,000 characters at most, for the API's description. */
  description?: string;
};

type AddRoute = {
  (path: string, handler: Handler): void;
  (path: string, options: RouteOptions, handler: Handler): void;
};

/** Routes below `/api/{plugin}`; a path may hold `:names`, each for one segment. Needs `routes`. */
export type Routes = { get: AddRoute; post: AddRoute; put: AddRoute; patch: AddRoute; delete: AddRoute };

/** Small values by key, shared by all replicas: 64 KB a value, 10,000 keys of at most 200 characters. Needs `storage.kv`. */
export type Kv = {
  get(key: string): Promise<Json | undefined>;
  /** The value with its version, for a later `ifVersion`. */
  entry(key: string): Promise<{ value: Json; version: number } | undefined>;
  /** With `ifVersion` only over that very version (0: only where nothing is); throws `CONFLICT` otherwise. */
  set(
    key: string,
    value: Json,
    options?: { ttlMs?: number; ifVersion?: number },
  ): Promise<{ version: number }>;
  /** Whether there was something. */
  delete(key: string): Promise<boolean>;
  /** Keys in their order, 100 at once unless told (1,000 at most); `cursor` leads to the next ones. */
  list(
    prefix?: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<{ keys: string[]; cursor: string | null }>;
  /** Adds to a number, in one step however many do so at once; what is not there counts as 0. */
  incr(key: string, by?: number, options?: { ttlMs?: number }): Promise<number>;
};

/** Files of the plugin alone, 1 MB each, 1,000 in all. Needs `storage.files.read` or `storage.files.write`. */
export type Files = {
  read(path: string): Promise<{ base64: string; type: string } | undefined>;
  write(path: string, file: { text?: string; base64?: string; type?: string }): Promise<void>;
  list(prefix?: string): Promise<{ path: string; sizeBytes: number; type: string }[]>;
  delete(path: string): Promise<boolean>;
};

/** What admins set in the form that the manifest's schema describes. Reading needs no permission. */
export type Settings = {
  /** Known at once; secrets are not among them. */
  get(key: string): Json | undefined;
  all(): Readonly<Record<string, Json>>;
  /** Needs `settings.write`. What does not fit the schema throws `INVALID`. */
  set(patch: Record<string, Json>): Promise<void>;
  /** Calls `listener` after each change. */
  onChange(listener: (next: Readonly<Record<string, Json>>) => void | Promise<void>): void;
};

/** A line for the activity log; the plugin's name, the time and the replica are added by the host. */
export type ActivityInput = {
  type: "api_call" | "admin_action" | "configuration_changed" | "suspicious_activity" | "health_check_failed";
  action: string;
  description?: string;
  status?: "success" | "failure" | "warning" | "info";
  severity?: "low" | "medium" | "high" | "critical";
  durationMs?: number;
};

/** A rule that the host applies to requests by itself, before anything else. */
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
 * Rules for requests: 100 of them with 1,000 entries each, 5,000 entries and 50,000 characters in all, set ten times a
 * minute at most. Needs `request.rules`.
 */
export type Guard = {
  /** Replaces all of the plugin's rules at once, on every replica. */
  setRules(rules: GuardRule[]): Promise<void>;
  /** How often each rule applied since it was set, on this replica. */
  stats(): Promise<RuleHits[]>;
};

/** How often a rule applied; `inert`: it cannot apply here, because nothing tells this server countries (`GEOIP_DB`). */
export type RuleHits = { rule: number; hits: number; inert?: true };

/** What a plugin sends with `ctx.fetch`. */
export type FetchInit = {
  method?: "GET" | "HEAD" | Method;
  headers?: Record<string, string>;
  /** At most 1 MB. */
  text?: string;
  base64?: string;
  /** 10,000 at most. */
  timeoutMs?: number;
};

/** What came back; bodies of at most 5 MB. */
export type FetchResult = {
  status: number;
  headers: Record<string, string>;
  /** The body as text; throws where it is no UTF-8. */
  text(): string;
  json(): Json;
  readonly base64: string;
};

/** What happens in the application and plugins can hear of, with what they are told. Needs `events`. */
export type EventPayloads = {
  "user.login": { userId: string };
  "user.registered": { userId: string };
  "plugin.state": { name: string; state: string };
  "settings.changed": { section: string };
};
export type EventName = keyof EventPayloads;

/** What the host gives a plugin to work with. Each call is checked against what admins granted, and counted. */
export type Ctx = {
  readonly plugin: {
    readonly name: string;
    readonly version: string;
    /** What was granted. */
    readonly permissions: readonly string[];
    /** Which of the running servers this is. */
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
  /** Runs `job` on one of the replicas, every `everyMs` (1,000 at least). Needs `schedule`. */
  readonly schedule: { every(name: string, everyMs: number, job: () => void | Promise<void>): void };
  /** Needs `users.read`. */
  readonly users: { get(id: string): Promise<Principal | undefined> };
  /**
   * 100 mails an hour, to users of this site. Needs `mail.send`; an address of anyone else fails with `INVALID` unless
   * `mail.send:anyone` was granted, too.
   */
  readonly mail: { send(mail: { to: string; subject: string; text: string }): Promise<void> };
  readonly guard: Guard;
  /** Calls a route of another plugin, as this plugin. Needs `plugins.call` with its name. */
  readonly plugins: {
    call(name: string, method: Method, path: string, body?: Json): Promise<PluginResponse>;
  };
  /** To the hosts that were granted, and nowhere else. Needs `net.fetch`. */
  fetch(url: string, init?: FetchInit): Promise<FetchResult>;
  /** Hears of what happens on this replica. */
  on<E extends EventName>(event: E, listener: (payload: EventPayloads[E]) => void | Promise<void>): void;
  /** Writes to the plugin's log: 100 lines a minute. */
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
  /** An answer with its own status, headers or kind of body. */
  respond(response: PluginResponse): Reply;
};

/** What is shown of a plugin in the admin area. */
export type AdminPanel = {
  enabled: boolean;
  menuItem?: { title?: string; description?: string; icon?: string; path?: string };
  card?: { title?: string; description?: string; icon?: string; color?: string; buttonText?: string };
};

/** What a health check says. */
export type Health = { ok: boolean; detail?: string };

/** The default export of a plugin's backend. `name` and `version` are those of the manifest. */
export type PluginDefinition<C extends Ctx = Ctx> = {
  name: string;
  version: string;
  description?: string;
  /** Wins over the manifest's, field by field. */
  adminPanel?: AdminPanel;
  /** Registers routes, jobs and listeners, within five seconds; afterwards nothing can be added. */
  setup(ctx: C): void | Promise<void>;
  /** Asked every 30 s; three failures in a row restart the plugin. */
  health?(): Health | Promise<Health>;
  /** Brings stored data from version `from` to this one, once, before the new version is in force. */
  migrate?(ctx: C, from: string): void | Promise<void>;
  /** Two seconds to end well. */
  teardown?(reason: TeardownReason): void | Promise<void>;
};

/** Why a plugin ends. */
export type TeardownReason = "disable" | "update" | "remove" | "shutdown";
