import { Elysia } from "elysia";
import type { Context } from "#api/core/context.ts";

/** Who may call a route. `admin` lets the operator in as well; `operator` is the control socket alone. */
export const accessLevels = ["public", "user", "admin", "operator"] as const;
export type Access = (typeof accessLevels)[number];

/** The session cookie of the call: what came in, and the ways to replace or remove it in the answer. */
export type SessionCookie = { readonly token: string | null; set(token: string): void; clear(): void };

/** What the pipeline knows of a request by the time that Elysia sees it. */
export type Arrival = { ctx: Context; session: SessionCookie };

const arrivals = Symbol("arrival");

/** Hangs the arrival on the request, for {@link createDoor} to pick up. */
export const admit = (request: Request, arrival: Arrival): void => {
  Object.defineProperty(request, arrivals, { value: arrival });
};

const arrivalOf = (request: Request): Arrival => {
  const arrival: unknown = Reflect.get(request, arrivals);
  if (!isArrival(arrival)) throw new Error("the request did not come through the pipeline");
  return arrival;
};

const isArrival = (value: unknown): value is Arrival =>
  typeof value === "object" && value !== null && "ctx" in value && "session" in value;

/**
 * The base of every module's routes: gives handlers `ctx` and `session`, and makes each route say who may call it.
 * The level is checked by the pipeline, before the body is read.
 */
export const createDoor = () =>
  new Elysia({ name: "door" })
    .macro({ access: (_level: Access) => ({}) })
    .derive({ as: "scoped" }, ({ request }) => arrivalOf(request));

export type Door = ReturnType<typeof createDoor>;
