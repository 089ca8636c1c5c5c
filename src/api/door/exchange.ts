import type { RateLimitHeaders } from "#api/adapters/rate-limit/rate-limiter.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { Actor } from "#api/core/context.ts";
import type { SwitchesInForce } from "#api/core/switches-in-force.ts";
import type { TokenScope } from "#contract/api-tokens.ts";
import type { ErrorKind } from "#contract/errors.ts";
import type { Proof } from "#contract/proof.ts";
import type { Access, StateChange } from "./access.ts";

/** Who is at the other end: `ip` counts for limits, lists and logs, `peer` is where the connection comes from. */
export type Client = {
  ip: string;
  peer: string;
  /** Whether the peer is a proxy whose word about the client was asked for. */
  isForwarded: boolean;
};

/** One cookie of the call: what came in, and the ways to replace or remove it in the answer. */
export type CallCookie = {
  readonly token: string | null;
  set(token: string): void;
  clear(): void;
  /** The browser keeps what it has: nothing that was set or cleared before is sent. */
  leave(): void;
};

/** The cookies of one call, and the `Set-Cookie` values to send, one for each that somebody set or cleared. */
export type CallCookies = {
  session: CallCookie;
  device: CallCookie;
  oauth: CallCookie;
  pending: CallCookie;
  toSend(): Iterable<string>;
};

/** What is wrong with a token: for the logs alone, whoever calls is never told. */
export type TokenFault = "malformed" | "unknown" | "revoked" | "expired" | "owner" | "network";

/**
 * The API token that a call came with, and what became of it: `fault` and `refusal` once it was found to be no good,
 * `challenge` where the answer is to say what a token would need (RFC 6750 §3).
 */
export type Bearer = {
  readonly token: string;
  fault: TokenFault | null;
  refusal: AppError | null;
  challenge: string | null;
};

/** Throws a 422, with one complaint for each field at fault, for a body that is not what the route asks for. */
export type BodyCheck = (body: unknown) => void;

/** What the pipeline must know of a route before Elysia runs it. `template` is its path with parameter names. */
export type Route = {
  method: string;
  template: string;
  /** What it does, in a few words: as in the API's description, or else method and path. */
  summary: string;
  access: Access;
  /**
   * What an API token needs to call it, `none` where no token may; `null` for what is not for admins, and so for every token
   * or none.
   */
  scope: TokenScope | "any" | "none" | null;
  /** What a session must have shown lately to call it. */
  proof: Proof;
  /** Whether a session that has not may bring the password of whoever asks in its body instead. */
  takesPassword: boolean;
  /** By which switch the limit on calls leaves it out, if by any: see {@link exemptionOf}. */
  exemption: "admin" | "plugin" | null;
  /** For a GET that changes state: what gives it the right to. */
  stateChange: StateChange | null;
  /** Where a browser that was led here is sent when the call fails; `null` answers in the envelope. */
  failurePath: string | null;
  /** Whether an answer may take minutes: then the connection is not cut for being silent. */
  mayTakeLong: boolean;
  /**
   * Whether its answer is the same for everybody and kept by caches: then nobody is asked who they are, and no cookie
   * goes out with it.
   */
  isShared: boolean;
  /**
   * What comes with a call: JSON that `bodyCheck` looks at, any JSON or nothing, a form with a file, what it reads itself,
   * or a JSON-RPC message: with that, only API tokens may call.
   */
  bodyKind: "json" | "any-json" | "upload" | "raw" | "message";
  /** What the route asks of its JSON body; `null` when it reads none. */
  bodyCheck: BodyCheck | null;
  /** The plugin that it belongs to, `null` for the application's own. */
  plugin: string | null;
  /** The names that its query may have, where it refuses others; `null` where it doesn't. */
  queryNames: readonly string[] | null;
  /** The operation that it is and that has a dry run, or whose plan it tells; `null` for every other route. */
  planned: PlannedOperation | null;
  /** Answers in Elysia's place. */
  answer: RouteAnswer | null;
};

/** An operation that can be planned: its own route, and where each field of its input goes. */
export type PlannedOperation = {
  id: string;
  route: Route;
  places: ReadonlyMap<string, "params" | "query" | "body" | "headers">;
};

/** Answers a call that may go on; `body` is what came with it, `headers` what every answer has: to be copied. */
export type RouteAnswer = (
  exchange: Exchange,
  body: unknown,
  headers: Headers,
) => Response | Promise<Response>;

/** What a call leaves behind on its way: why it failed, if it did, and whether what it called recorded it already. */
export type CallTrace = {
  failure: ErrorKind | null;
  isRecorded: boolean;
  /** The route that was called through this call's own, if one was. */
  called?: Route;
};

/**
 * Through which door a request came: the network, or the operator's own socket or process. `keepOpen` spares its
 * connection from being cut for silence.
 */
export type Entrance = { via: "tcp"; peer: string; keepOpen?: () => void } | { via: "socket" };

/** What is known of one request on its way; filled step by step. */
export type Exchange = {
  request: Request;
  entrance: Entrance;
  requestId: string;
  startedNs: number;
  /** The switches as they stood when the request came. */
  switches: SwitchesInForce;
  client: Client;
  /** The client's address. */
  ip: string;
  userAgent: string | null;
  /** Whether it is for the API: anything else is a page or a file. */
  isCall: boolean;
  /** Whether it names a host that is served here. */
  isOurs: boolean;
  /** As it came, up to the query. */
  path: string;
  /** The query as it came, empty or with its `?`. */
  search: string;
  /** Route template for the log; of unknown paths what cannot be a token. */
  label: string;
  actor: Actor;
  /** Those of a browser; none beside an API token, which speaks for itself. */
  cookies: CallCookies;
  /** The API token that came along with a call; `null` without one. */
  bearer: Bearer | null;
  /** The route that was asked for, once it is known. */
  route: Route | null;
  trace: CallTrace;
  /** Where a failure sends the browser, once the route is known and the call may come from where it comes. */
  failurePath: string | null;
  /** What the answer says of the limit; `null` where the call was not counted. */
  limitHeaders: Omit<RateLimitHeaders, "Retry-After"> | null;
};

/** Nobody that is known. */
export const visitor: Actor = { kind: "visitor" };

/** Whoever holds the data folder. */
export const operator: Actor = { kind: "operator" };
