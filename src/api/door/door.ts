import { Elysia } from "elysia";
import type { Context } from "#api/core/context.ts";
import type { Proof } from "#contract/proof.ts";
import type { Access, RouteScope, ScopeRight, StateChange } from "./access.ts";
import type { CallCookie, CallTrace } from "./exchange.ts";

/** What the pipeline knows of a request by the time that Elysia sees it. */
export type IncomingRequest = {
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
};

/** The same with what takes down how the call goes, for the activity log. */
export type TracedRequest = IncomingRequest & { trace: CallTrace };

const admitted = new WeakMap<Request, TracedRequest>();

/** Remembers the arrival of a request, for its handler to pick up. */
export const admit = (request: Request, incoming: TracedRequest): void => {
  admitted.set(request, incoming);
};

/** The arrival of a request. Throws for one that did not come through the pipeline. */
export const incomingOf = (request: Request): TracedRequest => {
  const incoming = admitted.get(request);
  if (!incoming) throw new Error("the request did not come through the pipeline");
  return incoming;
};

/**
 * The base of every module's routes: gives handlers `ctx` and the cookies, and makes each route say who may call it
 * (`access`), one for admins which API tokens may (`scope`, and `scopeRight` where the method misleads; `tokens: false` where
 * none may, whatever its scopes), and one for admins that is no plain GET what its session must have shown (`proof`, and
 * `takesPassword` where a `password` in its body shows it, too). A GET that changes state says by what right
 * (`stateChange`); one that people's browsers are led to names the page where a failure sends them (`failurePath`). Where an answer may take minutes (`mayTakeLong`), the
 * connection is not cut for being silent. One that takes a file says so (`upload`): its body is an `UploadedFile`. One
 * for API tokens alone that takes JSON-RPC messages says `messages`: its body is an `RpcBody`. What everybody gets alike
 * and caches keep is `isShared`: no session is looked up for it. An operation that has a dry run gives its name (`planned`).
 * The pipeline reads all of it before the body.
 */
export const createDoor = () =>
  new Elysia({ name: "door" })
    .macro({
      access: (_level: Access) => ({}),
      scope: (_scope: RouteScope) => ({}),
      scopeRight: (_right: ScopeRight) => ({}),
      tokens: (_may: false) => ({}),
      proof: (_level: Proof) => ({}),
      takesPassword: (_takes: true) => ({}),
      stateChange: (_right: StateChange) => ({}),
      failurePath: (_path: string) => ({}),
      mayTakeLong: (_may: true) => ({}),
      upload: (_field: "plugin") => ({}),
      messages: (_takes: true) => ({}),
      isShared: (_is: true) => ({}),
      planned: (_operation: string) => ({}),
    })
    .derive({ as: "scoped" }, ({ request }) => {
      const { ctx, session, device, oauth, pending } = incomingOf(request);
      return { ctx, session, device, oauth, pending };
    })
    .onParse({ as: "scoped" }, ({ request }) => incomingOf(request).body);

export type Door = ReturnType<typeof createDoor>;
