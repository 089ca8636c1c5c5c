import { Elysia } from "elysia";
import type { Context } from "#api/core/context.ts";
import type { Proof } from "#contract/proof.ts";
import type { Access, RouteScope, ScopeRight, StateChange } from "./access.ts";
import type { CallCookies, CallTrace } from "./exchange.ts";

/** What the pipeline knows about a request when Elysia gets it. */
export type IncomingRequest = Omit<CallCookies, "toSend"> & {
  ctx: Context;
  /** The JSON body, already parsed; `null` where the route reads none. */
  body: unknown;
};

/** An incoming request with the trace that the activity log reads. */
export type TracedRequest = IncomingRequest & { trace: CallTrace };

const admitted = new WeakMap<Request, TracedRequest>();

/** Stores what is known about a request until its handler reads it. */
export const admit = (request: Request, incoming: TracedRequest): void => {
  admitted.set(request, incoming);
};

/** What the pipeline knows about a request. Throws if the request did not come through the pipeline. */
export const incomingOf = (request: Request): TracedRequest => {
  const incoming = admitted.get(request);
  if (!incoming) throw new Error("the request did not come through the pipeline");
  return incoming;
};

/**
 * The base of every module's routes. It gives handlers `ctx` and the cookies, and routes declare here what the pipeline
 * checks before it reads the body:
 * - `access`: who may call it.
 * - `scope`, on admin routes: which API tokens may call it; `scopeRight` where the method misleads, `tokens: false` where
 *   no token may, whatever its scopes.
 * - `proof`, on admin routes other than plain GETs: what the session must have proven; `takesPassword` where a `password`
 *   in the body proves it too.
 * - `forEnrolment`: users who have to set up a second factor first may call it.
 * - `stateChange`: what authorizes a GET to change state.
 * - `failurePath`: the page that a failure redirects browsers to.
 * - `mayTakeLong`: the response may take minutes, so the connection isn't closed for being idle.
 * - `upload`: it takes a file; the body is an `UploadedFile`.
 * - `form`: its body is a form of texts, as other servers send it, each at most once.
 * - `messages`: it takes JSON-RPC messages, from API tokens only; the body is an `RpcBody`.
 * - `isShared`: the response is the same for everyone and cacheable, so no session is read.
 * - `planned`: the name of an operation that has a dry run.
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
      forEnrolment: (_is: true) => ({}),
      stateChange: (_right: StateChange) => ({}),
      failurePath: (_path: string) => ({}),
      mayTakeLong: (_may: true) => ({}),
      upload: (_field: "plugin") => ({}),
      form: (_takes: true) => ({}),
      messages: (_takes: true) => ({}),
      isShared: (_is: true) => ({}),
      planned: (_operation: string) => ({}),
    })
    .derive({ as: "scoped" }, ({ request }) => {
      const incoming: IncomingRequest = incomingOf(request);
      const { ctx, session, device, oauth, pending, step } = incoming;
      return { incoming, ctx, session, device, oauth, pending, step };
    })
    .onParse({ as: "scoped" }, ({ request }) => incomingOf(request).body);

export type Door = ReturnType<typeof createDoor>;
