import type { User } from "#contract/users.ts";
import { AppError } from "./app-error.ts";
import type { Context } from "./context.ts";

/** The signed-in user behind the call. Throws `NOT_SIGNED_IN` for anybody else. */
export const requireUser = (ctx: Context): User => {
  if (ctx.actor.kind !== "user") throw new AppError("NOT_SIGNED_IN");
  return ctx.actor.user;
};

/** Lets admins and the operator pass. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const requireAdmin = (ctx: Context): void => {
  if (ctx.actor.kind === "operator") return;
  if (requireUser(ctx).role !== "admin") throw new AppError("FORBIDDEN");
};
