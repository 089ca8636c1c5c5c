import { Elysia } from "elysia";
import type { Context } from "#api/core/context.ts";
import { tokenAreas } from "#contract/api-tokens.ts";
import type { SystemStatus, VisitorView } from "#contract/settings.ts";
import type { CallTrace } from "./noted-call.ts";

/** Who may call a route. `admin` lets the operator in as well; `operator` is the control socket alone. */
export const accessLevels = ["public", "user", "admin", "operator"] as const;
export type Access = (typeof accessLevels)[number];

/**
 * By what right a GET changes state: by the session cookie, by a mailed token in its path, or by the state that came
 * back with a browser sent here from another site.
 */
export const stateChanges = ["by-cookie", "by-token", "by-state"] as const;
export type StateChange = (typeof stateChanges)[number];

/**
 * Which API tokens may call a route of admins: those for one area, by the method to read or to write, or with one right of
 * it; those that may do everything (`all`), or whichever (`any`), where nothing is told that needs a right of its own.
 */
export const routeScopes = [...tokenAreas, "plugins:settings", "settings:security", "all", "any"] as const;
export type RouteScope = (typeof routeScopes)[number];

/** Whether a route needs the right to change its area; what its method says unless given. */
export type ScopeRight = "read" | "write";

/** One cookie of the call: what came in, and the ways to replace or remove it in the answer. */
export type CallCookie = { readonly token: string | null; set(token: string): void; clear(): void };

/** What the door sees of the way by which a call came, made when somebody asks. */
export type DoorView = {
  visitor: VisitorView;
  limiterStore: SystemStatus["limiter"]["store"];
  corsOrigins: string[];
};

/** What the pipeline knows of a request by the time that Elysia sees it. */
export type Arrival = {
  ctx: Context;
  session: CallCookie;
  /** Marks a browser that its owner signed in with before. */
  device: CallCookie;
  /** Ties the answer of an identity provider to the browser that asked. */
  oauth: CallCookie;
  /** Names the registration that was made in this browser. */
  pending: CallCookie;
  /** The JSON that came along, already read; `null` where the route reads none. */
  body: unknown;
  view(): DoorView;
};

/** The same with what takes down how the call goes, for the activity log. */
export type TracedArrival = Arrival & { trace: CallTrace };

const arrivals = new WeakMap<Request, TracedArrival>();

/** Remembers the arrival of a request, for its handler to pick up. */
export const admit = (request: Request, arrival: TracedArrival): void => {
  arrivals.set(request, arrival);
};

/** The arrival of a request. Throws for one that did not come through the pipeline. */
export const arrivalOf = (request: Request): TracedArrival => {
  const arrival = arrivals.get(request);
  if (!arrival) throw new Error("the request did not come through the pipeline");
  return arrival;
};

/**
 * The base of every module's routes: gives handlers `ctx` and the cookies, and makes each route say who may call it
 * (`access`), one for admins which API tokens may (`scope`, and `scopeRight` where the method misleads; `tokens: false` where
 * none may, whatever its scopes), and, for a GET that
 * changes state, by what right (`stateChange`); one that people's browsers are led to
 * names the page where a failure sends them (`failurePath`). Where an answer may take minutes (`mayTakeLong`), the
 * connection is not cut for being silent. One that takes a file says so (`upload`): its body is an `UploadedFile`. One
 * for API tokens alone that takes JSON-RPC messages says `messages`: its body is an `RpcBody`. What everybody gets alike
 * and caches keep is `isShared`: no session is looked up for it. The pipeline reads all of it before the body.
 */
export const createDoor = () =>
  new Elysia({ name: "door" })
    .macro({
      access: (_level: Access) => ({}),
      scope: (_scope: RouteScope) => ({}),
      scopeRight: (_right: ScopeRight) => ({}),
      tokens: (_may: false) => ({}),
      stateChange: (_right: StateChange) => ({}),
      failurePath: (_path: string) => ({}),
      mayTakeLong: (_may: true) => ({}),
      upload: (_field: "plugin") => ({}),
      messages: (_takes: true) => ({}),
      isShared: (_is: true) => ({}),
    })
    .derive({ as: "scoped" }, ({ request }) => {
      const { ctx, session, device, oauth, pending, view } = arrivalOf(request);
      return { ctx, session, device, oauth, pending, view };
    })
    .onParse({ as: "scoped" }, ({ request }) => arrivalOf(request).body);

export type Door = ReturnType<typeof createDoor>;
