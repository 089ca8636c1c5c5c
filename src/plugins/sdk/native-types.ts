import type { Ctx, Principal } from "./types.ts";

/** A request before it is processed. */
export type ArrivingRequest = {
  /** Id of the request, as in the logs and in `x-request-id`. */
  readonly id: string;
  readonly method: string;
  /** As received, without the query. */
  readonly path: string;
  /** The query as received, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  /** The client's IP address, regardless of headers. */
  readonly ip: string;
  /** Two capital letters; `null` if unknown. Looked up on first use. */
  readonly country: string | null;
  /** Whether it is for the API; otherwise it is for a page or a file. */
  readonly isCall: boolean;
  /** The matching route, such as `/api/users/:id`; `null` if there is none, and for pages. */
  readonly route: string | null;
};

/** How a stopped request is answered. */
export type Stop = {
  /** The response; called once. The host adds `x-atrium-block` with the request's id, and its security headers. */
  answer(): Response;
  /** Whether a signed-in admin's request passes anyway. */
  sparesAdmins: boolean;
  /** Called if the request passed because an admin sent it. */
  spared?(admin: Principal): void;
};

/** `undefined` lets a request pass; with `headers`, they are added to its response. */
export type Look = Stop | { headers: Record<string, string> } | undefined;

/** The outcome of a request. */
export type Outcome = { status: number; durationMs: number; user: Principal | null };

/**
 * Inspects each request from the network before anything else, except the operator's own and those that monitor the
 * process (`/api/health`, `/api/ready`). If it throws, the request passes and the plugin counts as failed.
 */
export type RequestInspector = {
  /** While `true`, requests pass as if there were no inspector, at no cost. Read for each request. */
  readonly isIdle: boolean;
  /** Inspects everything except the body. */
  arrive?(request: ArrivingRequest): Look | Promise<Look>;
  /** How many bytes of the body it inspects, at most 1 MB; 0 or absent: none. */
  bodyBytes?(request: ArrivingRequest): number;
  /** Inspects the body as received, before it is parsed; `isWhole` is `false` if there is more of it. */
  body?(request: ArrivingRequest, bytes: Uint8Array, isWhole: boolean): Look | Promise<Look>;
  /** Whether {@link RequestInspector.person} needs to know who sent the request; that costs a lookup. */
  needsPerson?(request: ArrivingRequest): boolean;
  /** Inspects who sent it: `null` for visitors. Called last. */
  person?(request: ArrivingRequest, user: Principal | null): Look | Promise<Look>;
  /** Called with the outcome of each request, including stopped ones. */
  done?(request: ArrivingRequest, outcome: Outcome): void;
};

/** Changes responses to requests from the network. If it throws, the response stays as it is. */
export type ResponseShaper = {
  /** While `true`, responses pass as if there were no shaper, at no cost. Read for each request. */
  readonly isIdle: boolean;
  /**
   * Responds to a `GET` or `HEAD` of a visitor without cookies and credentials from a cache instead of the application,
   * after limits and firewall.
   */
  reuse?(request: ArrivingRequest): Response | undefined;
  /** Gets each response before it is sent, and returns the one to send. `isAnonymous`: for a visitor without cookies. */
  shape?(
    request: ArrivingRequest,
    response: Response,
    facts: { isAnonymous: boolean },
  ): Response | undefined | Promise<Response | undefined>;
};

/** Result of a rate limit check. */
export type RateDecision = { isAllowed: boolean; remaining: number; resetMs: number };

/** State of the plugin that manages the core's limits and switches. Read for each request, synchronously. */
export type CoreManager = {
  /**
   * Master switch: while it is on, the core settings are locked, and the core's switches for proxies and other
   * origins are on.
   */
  readonly isManaging: boolean;
  /** The plugin counts requests, so the core doesn't. */
  readonly isCounting: boolean;
  /** Requests that would be blocked are only logged. */
  readonly isDevelopment: boolean;
};

/** Tests IP addresses: returns the index of the first range that contains one, or -1. */
export type AddressTest = (ip: string) => number;

/** What the server provides to plugins that run inside it. */
export type NativeHost = {
  /** The application's public origin. */
  readonly appUrl: string;
  /** Takes over the core's limits and switches; only for the plugin `firewall`. */
  manageCore(manager: CoreManager): void;
  /** The core's request limit, as set by admins. */
  coreLimit(): {
    windowMs: number;
    maxRequests: number;
    message: string;
    /** Signed-in admins are not counted on admin routes. */
    skipAdminRoutes: boolean;
    /** Requests to plugins are not counted. */
    skipPluginRoutes: boolean;
  };
  /** Counts a request under a key of the plugin, for all servers where {@link NativeHost.counting} says so. */
  takeRate(key: string, rule: { windowMs: number; max: number }): RateDecision | Promise<RateDecision>;
  /**
   * Where requests are counted now: for all servers in Redis, or without it in the PostgreSQL database that they share; by this
   * server alone in memory.
   */
  readonly counting: "memory" | "redis" | "postgres";
  /**
   * Tells this plugin on every server, this one included, that there is something to read. At most 64 characters. Others may
   * send signals too, and some may be lost: rely on none.
   */
  signal(topic: string): void;
  /** Calls `listener` with each signal, and with `null` when signals of others may have been missed. At most one. */
  onSignal(listener: (topic: string | null) => void): void;
  /** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address. */
  networkOf(ip: string): string;
  /** Whether the server knows countries (`GEOIP_DB`). */
  readonly knowsCountries: boolean;
  /** The country of an IP address in two capital letters, `null` if unknown. */
  countryOf(ip: string): string | null;
  /** Prepares IP addresses and CIDR ranges, v4 and v6. Throws a `TypeError` that names the first one that is neither. */
  addressTest(ranges: readonly string[]): AddressTest;
  /** The application's routes, including those of running plugins. */
  routes(): {
    method: string;
    path: string;
    access: "public" | "user" | "admin" | "operator";
    /** The plugin that it belongs to; `null` for the application's own. */
    plugin: string | null;
  }[];
  /** URLs of the scripts and stylesheets that browsers load first for a page; empty if it is not a page. */
  pageFiles(path: string): { scripts: string[]; styles: string[] };
};

/** What plugins that run inside the server get. */
export type NativeCtx = Ctx & {
  readonly request: {
    /** Gets each request before anything else; what it returns is the response. */
    before(
      hook: (request: Request, facts: { ip: string }) => Response | undefined | Promise<Response | undefined>,
    ): void;
    /** Registers the plugin's inspector; at most one. */
    inspect(inspector: RequestInspector): void;
  };
  readonly response: {
    /** Registers the plugin's response shaper; at most one. */
    shape(shaper: ResponseShaper): void;
  };
  readonly app: {
    /** Handles admins' requests below `/api/{plugin}` that match none of the plugin's routes. Dry runs of changes are refused. */
    mount(handler: (request: Request) => Response | Promise<Response>): void;
  };
  readonly host: NativeHost;
};
