import type { RateLimitHeaders } from "#api/adapters/rate-limit/rate-limit-headers.ts";
import type { Actor } from "#api/core/context.ts";
import type { SwitchesInForce } from "#api/core/switches-in-force.ts";
import type { Bearer } from "./bearer.ts";
import type { CallCookies } from "./call-cookies.ts";
import type { Client } from "./client-address.ts";
import type { CallTrace } from "./noted-call.ts";
import type { Route } from "./route-table.ts";

/**
 * Through which door a request came: the network, or the operator's own socket or process. `keepOpen` spares its
 * connection from being cut for silence.
 */
export type Entrance = { via: "tcp"; peer: string; keepOpen?: () => void } | { via: "socket" };

/** What is known of one request on its way; filled step by step. */
export type Passage = {
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
  standing: Omit<RateLimitHeaders, "Retry-After"> | null;
};

/** Nobody that is known. */
export const visitor: Actor = { kind: "visitor" };

/** Whoever holds the data folder. */
export const operator: Actor = { kind: "operator" };
