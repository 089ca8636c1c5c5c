import type { Ctx, Principal } from "./types.ts";

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
    /** Signed-in admins are not counted on admin routes. */
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
