import { AppError } from "#api/core/app-error.ts";
import type { Actor } from "#api/core/context.ts";
import type { Access } from "./door.ts";

/** Lets an actor through to a route of an access level. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const checkAccess = (actor: Actor, access: Access): void => {
  if (access === "public" || actor.kind === "operator") return;
  if (actor.kind === "visitor") throw new AppError("NOT_SIGNED_IN");
  if (access === "operator" || (access === "admin" && actor.user.role !== "admin"))
    throw new AppError("FORBIDDEN");
};
