// The types of Atrium's plugin SDK. `atrium plugin create` wrote this file; a newer one can take its place.

type ComponentType<Props = object> = (props: Props) => unknown;

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
  /** `content-type`, `cache-control`, `content-disposition`, `etag`, `retry-after`, and names that begin with `x-`. */
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
  /** JSON Schema of what a call with status 200 answers: for the API's description. */
  response?: Json;
  /** In a few words, for the API's description. */
  summary?: string;
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
  /** 100 mails an hour. Needs `mail.send`. */
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

/** A request on its way, before anything has been done for it. */
export type ArrivingRequest = {
  /** Id of the request, as in the logs and in `x-request-id`. */
  readonly id: string;
  readonly method: string;
  /** As it came, up to the query. */
  readonly path: string;
  /** The query as it came, without its question mark. */
  readonly query: string;
  readonly headers: Headers;
  /** The client's address, whatever headers say. */
  readonly ip: string;
  /** Two capital letters; `null` where it is not known. Looked up when it is asked for. */
  readonly country: string | null;
  /** Whether it is for the API: anything else is a page or a file. */
  readonly isCall: boolean;
  /** The route that it leads to, such as `/api/users/:id`; `null` where there is none, and for pages. */
  readonly route: string | null;
};

/** What becomes of a request that goes no further. */
export type Stop = {
  /** The answer; asked for once. The host adds `x-atrium-block` with the request's id, and what hardens browsers. */
  answer(): Response;
  /** Whether a signed-in admin's request goes on all the same. */
  sparesAdmins: boolean;
  /** Called when it went on because an admin made it. */
  spared?(admin: Principal): void;
};

/** `undefined` lets a request go on; with `headers` its answer carries them. */
export type Look = Stop | { headers: Record<string, string> } | undefined;

/** What became of a request. */
export type Outcome = { status: number; durationMs: number; user: Principal | null };

/**
 * Looks at each request that comes over the network, before everything else; not at the operator's own and at those of who watches the
 * process (`/api/health`, `/api/ready`). One that throws lets the request go on, and the plugin counts as failed.
 */
export type RequestInspector = {
  /** While `true` requests pass as if there were no inspector, at no cost. Read at each request. */
  readonly isIdle: boolean;
  /** Looks at all but the body. */
  arrive?(request: ArrivingRequest): Look | Promise<Look>;
  /** How many bytes of the body it wants to see, 1 MB at most; 0 or absent: none. */
  bodyBytes?(request: ArrivingRequest): number;
  /** Looks at the body as it came, before it is parsed; `isWhole` is `false` where there is more than it wanted to see. */
  body?(request: ArrivingRequest, bytes: Uint8Array, isWhole: boolean): Look | Promise<Look>;
  /** Whether it has to be known who makes a request before {@link RequestInspector.person} is asked; that costs a look-up. */
  needsPerson?(request: ArrivingRequest): boolean;
  /** Looks at who makes it: `null` for visitors. Asked last. */
  person?(request: ArrivingRequest, user: Principal | null): Look | Promise<Look>;
  /** Hears what became of each request, those that were stopped among them. */
  done?(request: ArrivingRequest, outcome: Outcome): void;
};

/** Works on answers to requests that came over the network. One that throws leaves the answer as it is. */
export type ResponseShaper = {
  /** While `true` answers pass as if there were no shaper, at no cost. Read at each request. */
  readonly isIdle: boolean;
  /**
   * Answers a `GET` or `HEAD` of a visitor without cookies and credentials from what was kept, instead of the application; limits and
   * firewall have been asked before.
   */
  reuse?(request: ArrivingRequest): Response | undefined;
  /** Sees each answer before it is sent; what it returns is sent instead. `isAnonymous`: for a visitor without cookies. */
  shape?(
    request: ArrivingRequest,
    response: Response,
    facts: { isAnonymous: boolean },
  ): Response | undefined | Promise<Response | undefined>;
};

/** What a rate decision comes to. */
export type RateDecision = { isAllowed: boolean; remaining: number; resetMs: number };

/** What the plugin that looks after the core's limits and switches says of itself. Asked at each request: never waits. */
export type CoreManager = {
  /** Master switch: while it is on, the core's settings are locked, and its switches for proxies and other origins are on. */
  readonly isManaging: boolean;
  /** The plugin counts requests, so that the core does not. */
  readonly isCounting: boolean;
  /** What would be blocked is only written down. */
  readonly isDevelopment: boolean;
};

/** A test for addresses: the index of the first range that an address lies in, -1 where it lies in none. */
export type AddressTest = (ip: string) => number;

/** What the server tells plugins inside it, and does for them. */
export type NativeHost = {
  /** The application's public origin. */
  readonly appUrl: string;
  /** Takes the core's limits and switches over: of the plugin `firewall` alone. */
  manageCore(manager: CoreManager): void;
  /** The core's limit on calls, as admins have set it. */
  coreLimit(): {
    windowMs: number;
    maxRequests: number;
    message: string;
    /** Signed-in admins are not counted where only admins may call. */
    skipAdminRoutes: boolean;
    /** Calls of plugins are not counted. */
    skipPluginRoutes: boolean;
  };
  /** Counts a request under a key of the plugin's own; in memory, or for all replicas in Redis where there is one. */
  takeRate(key: string, rule: { windowMs: number; max: number }): RateDecision | Promise<RateDecision>;
  /** What counts as one caller: an IPv4 address as it is, of an IPv6 address its network of 64 bits. */
  networkOf(ip: string): string;
  /** Whether the server can tell countries (`GEOIP_DB`). */
  readonly knowsCountries: boolean;
  /** The country of an address in two capital letters, `null` where it is not known. */
  countryOf(ip: string): string | null;
  /** Prepares addresses and CIDR ranges, v4 and v6. Throws a `TypeError` that names the first that is neither. */
  addressTest(ranges: readonly string[]): AddressTest;
  /** The application's routes, those of running plugins among them. */
  routes(): {
    method: string;
    path: string;
    access: "public" | "user" | "admin" | "operator";
    /** Whose it is; `null` for the application's own. */
    plugin: string | null;
  }[];
  /** What browsers load first for a page: addresses of scripts and stylesheets; empty for what is no page. */
  pageFiles(path: string): { scripts: string[]; styles: string[] };
};

/** What plugins get that run inside the server. */
export type NativeCtx = Ctx & {
  readonly request: {
    /** Sees each request before everything else; what it returns is the answer. */
    before(
      hook: (request: Request, facts: { ip: string }) => Response | undefined | Promise<Response | undefined>,
    ): void;
    /** Registers the plugin's inspector: one at most. */
    inspect(inspector: RequestInspector): void;
  };
  readonly response: {
    /** Registers what works on answers: one at most. */
    shape(shaper: ResponseShaper): void;
  };
  readonly app: {
    /** Answers what none of the plugin's own routes does, below `/api/{plugin}`, for admins. */
    mount(handler: (request: Request) => Response | Promise<Response>): void;
  };
  readonly host: NativeHost;
};

/** What a frontend gets to work with, in a frame and in the host's window alike. */
export type FrontendApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The plugin's settings when it was opened; secrets are not among them. */
  readonly settings: Readonly<Record<string, Json>>;
  /** Where in the plugin's page the reader is: empty, or what follows the page's own address, such as `/reports`. */
  readonly path: string;
  readonly theme: "light" | "dark";
  /**
   * Calls a route of the plugin's own backend as the admin who looks at the page: `call("GET", "/notes?limit=5")`. Resolves
   * to the JSON that it answers; rejects with an {@link Error} that has the answer's words, its `status`, and as `errors` what
   * the route's schema refused: `{ path, message }[]`.
   */
  call(method: Method, path: string, body?: Json): Promise<Json>;
  /** Shows a passing notice under the plugin's title. */
  notify(text: string): void;
  /** Leads the reader to another place in the plugin's own page, such as `/reports`. */
  navigate(path: string): void;
  /** Hears when the theme or the path is another; returns how to stop. */
  on(event: "theme" | "path", listener: (value: string) => void): () => void;
};

/** What a frontend in the host's window gets besides. */
export type WindowApi = FrontendApi & {
  /** The address of a place in the plugin's own page, for links: `addressOf("/reports")`. */
  addressOf(path: string): string;
};

/** The default export of a frontend in a frame, with the manifest's `name` and `version`. */
export type FrameFrontend = {
  name: string;
  version: string;
  /** Fills the root element of the frame's document. */
  mount(root: HTMLElement, api: FrontendApi): void | Promise<void>;
};

/** The default export of a frontend in the host's window, with the manifest's `name` and `version`. */
export type WindowFrontend = {
  name: string;
  version: string;
  /** The plugin's page. */
  Page?: ComponentType<{ api: WindowApi }>;
  /** Stands over every page of the admin area; the manifest has to say `overlay`. */
  Overlay?: ComponentType;
  /** Wins over the manifest's, for a plugin with an overlay: the script of any other is loaded with its page alone. */
  adminPanel?: AdminPanel;
};

/** What a plugin may put into a place of the interface: plain text, with a link and a longer text for who points at it. */
export type SlotContent = { text: string; href?: string; title?: string };

/** What a site script gets to work with. */
export type SiteApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The path of the page on show. */
  path(): string;
  /** Hears of each other page that is shown afterwards, by its path; returns how to stop. */
  onNavigate(listener: (path: string) => void): () => void;
  /** Fills a place of the interface: `licensing` is in the footer of every page of the site. Returns how to empty it. */
  fillSlot(name: "licensing", content: SlotContent): () => void;
  /** Fetches the code of a page that is likely next. */
  prefetch(path: string): void;
  /**
   * Sends JSON to one of the plugin's own public routes (`POST`), as nobody: without cookies, also while the page is being
   * left, and without telling what became of it.
   */
  send(path: string, json: Json): void;
  /** Asks one of the plugin's own public routes (`GET`), as nobody. Rejects where it does not answer with JSON. */
  get(path: string): Promise<Json>;
};

/**
 * The default export of a site script, with the manifest's `name` and `version`: one that runs on every page, for every
 * visitor, once the page has come to rest. The manifest names it as `frontend.site`; it needs `ui.site`.
 */
export type SiteFrontend = {
  name: string;
  version: string;
  /** What it returns is called when the plugin is switched off or replaced while the page is open. */
  start(api: SiteApi): (() => void) | undefined;
};
