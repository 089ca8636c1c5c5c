import type { RateLimitHeaders } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { Actor } from "#api/core/context.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { RateLimitSettings } from "#contract/core-settings.ts";
import type { ErrorKind } from "#contract/errors.ts";
import type { Proof } from "#contract/proof.ts";
import type { Access, OriginClass, StateChange } from "./access.ts";

/** The client: limits, lists and logs use `ip`; `peer` is the other end of the connection. */
export type Client = {
  ip: string;
  peer: string;
  /** Whether the peer is a trusted proxy that named the client. */
  isForwarded: boolean;
};

/** A cookie of the request, and how to set or clear it in the response. */
export type CallCookie = {
  readonly token: string | null;
  set(token: string): void;
  clear(): void;
  /** The browser keeps what it has: nothing that was set or cleared before is sent. */
  leave(): void;
};

/** The session's cookie, which the browser keeps for as long as the session lasts unused. */
type SessionCookie = Omit<CallCookie, "set"> & { set(token: string, lifeMs: number): void };

/** The cookies of a request, and a `Set-Cookie` value for each that was set or cleared. */
export type CallCookies = {
  session: SessionCookie;
  /** Marks a browser that its user has signed in with before. */
  device: CallCookie;
  /** Ties an identity provider's response to the browser that asked for it. */
  oauth: CallCookie;
  /** Identifies the registration made in this browser. */
  pending: CallCookie;
  /** Carries a sign-in from the password to the second factor. */
  step: CallCookie;
  toSend(): Iterable<string>;
};

/** What is wrong with a token: for logs only, never for the client. */
export type TokenFault = "malformed" | "unknown" | "revoked" | "expired" | "owner" | "network" | "enrolment";

/**
 * The API token of a request. `fault` and `refusal` are set once it has been found invalid, `challenge` where the response
 * must say what a token would need (RFC 6750 §3).
 */
export type Bearer = {
  readonly token: string;
  fault: TokenFault | null;
  refusal: AppError | null;
  challenge: string | null;
};

/** Throws a 422, with one complaint per invalid field, for a body that doesn't match the route. */
export type BodyCheck = (body: unknown) => void;

/** What the pipeline needs to know about a route before Elysia runs it. `template` is its path with parameter names. */
export type Route = {
  method: string;
  template: string;
  /** What it does, in a few words, as in the API's description; otherwise method and path. */
  summary: string;
  access: Access;
  /**
   * What an API token needs to call it; `none` where no token may. `null` on routes that are not for admins: no scope
   * matters there.
   */
  scope: TokenScope | "any" | "none" | null;
  /** What a session must have proven recently to call it. */
  proof: Proof;
  /** Whether the user's password in the body counts as that proof. */
  takesPassword: boolean;
  /** Whether users who have to set up a second factor first may call it. */
  isForEnrolment: boolean;
  /** Which setting exempts it from the rate limit, if any: see {@link exemptionOf}. */
  exemption: "admin" | "plugin" | "sign-out" | null;
  /** What authorizes a GET to change state. */
  stateChange: StateChange | null;
  /** Whether a call changes something, or is allowed to: then it is not `safe`. */
  originClass: OriginClass;
  /** Where a failure redirects the browser; `null` answers in the envelope. */
  failurePath: string | null;
  /** Whether the response may take minutes; then the connection isn't closed for being idle. */
  mayTakeLong: boolean;
  /**
   * Whether the response is the same for everyone and cacheable. Then no identity is established, and no cookie is sent.
   */
  isShared: boolean;
  /**
   * What the body holds: JSON that `bodyCheck` validates, the same as a form of texts, any JSON or nothing, a form with a file,
   * bytes that the route reads itself, or a JSON-RPC message.
   */
  bodyKind: "json" | "form" | "any-json" | "upload" | "raw" | "message";
  /** Whether only API tokens may call it, so that what browsers send automatically is ignored. */
  isForTokens: boolean;
  /** Validates the JSON body; `null` when the route reads none. */
  bodyCheck: BodyCheck | null;
  /** The plugin that it belongs to; `null` for the application's own routes. */
  plugin: string | null;
  /** The query parameters that it accepts; `null` where it accepts any. */
  queryNames: readonly string[] | null;
  /** The operation that it runs or describes a plan of, if that has a dry run; `null` for every other route. */
  planned: PlannedOperation | null;
  /** Answers instead of Elysia. */
  answer: RouteAnswer | null;
};

/** An operation that can be planned: its route, and where each input field goes. */
export type PlannedOperation = {
  id: string;
  route: Route;
  places: ReadonlyMap<string, "params" | "query" | "body" | "headers">;
};

/** Answers a request that passed the checks. Copy `headers`, which every response has, instead of changing them. */
export type RouteAnswer = (
  exchange: Exchange,
  body: unknown,
  headers: Headers,
) => Response | Promise<Response>;

/** The outcome of a request: why it failed, if it did, and whether the handler has recorded it. */
export type CallTrace = {
  failure: ErrorKind | null;
  isRecorded: boolean;
  /** The route that this request called in turn, if any. */
  called?: Route;
};

/**
 * How a request came in: over the network, or through the operator's own socket or process. `keepOpen` keeps an idle
 * connection from being closed.
 */
export type Entrance = { via: "tcp"; peer: string; keepOpen?: () => void } | { via: "socket" };

/** What decides about requests at this moment: the admins' settings, as far as the firewall leaves them to them. */
export type ActiveSwitches = {
  /** Whether `X-Forwarded-For` of trusted proxies gives the client's address. */
  trustProxy: boolean;
  /** Whether answers carry the headers that harden browsers. */
  helmetEnabled: boolean;
  /** Whether listed origins may read answers. */
  corsEnabled: boolean;
  /** The core's own limit on calls; `null` while it is off, or while the firewall counts instead: never do two. */
  limit: RateLimitSettings | null;
  /** While plugins' routes are left out of it, what visitors above their own bound there are told; `null` otherwise. */
  pluginRoutesSkipped: Pick<RateLimitSettings, "message"> | null;
};

/** A request on its way through the pipeline, which fills in what it learns step by step. */
export type Exchange = {
  request: Request;
  entrance: Entrance;
  requestId: string;
  startedNs: number;
  /** When it came, by the clock of operations; once its body has arrived, when that did. */
  at: Date;
  /** The switches at the time of the request. */
  switches: ActiveSwitches;
  client: Client;
  /** The client's address. */
  ip: string;
  userAgent: string | null;
  /** Whether it is for the API; otherwise it is for a page or a file. */
  isCall: boolean;
  /** Whether it is a health probe. */
  isProbe: boolean;
  /** Whether its `Host` is one that this server serves. */
  isOurs: boolean;
  /** The path as sent, without the query. */
  path: string;
  /** The query as sent: empty, or with its `?`. */
  search: string;
  /** The route's template, for the log; of an unknown path, the part that can't be a token. */
  label: string;
  actor: Actor;
  /** A browser's cookies; ignored when the request has an API token. */
  cookies: CallCookies;
  /** The request's API token; `null` without one. */
  bearer: Bearer | null;
  /** The requested route, once it is known. */
  route: Route | null;
  trace: CallTrace;
  /** Where a failure redirects the browser, once the route is known and the origin is allowed. */
  failurePath: string | null;
  /** The rate-limit headers of the response; `null` where the request was not counted. */
  limitHeaders: Omit<RateLimitHeaders, "Retry-After"> | null;
};

/** The actor of a request without a session or token. */
export const visitor: Actor = { kind: "visitor" };

/** The actor with access to the data folder. */
export const operator: Actor = { kind: "operator" };
