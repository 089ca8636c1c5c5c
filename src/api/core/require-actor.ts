import type { User } from "#contract/users.ts";
import { AppError } from "./app-error.ts";
import type { Actor, Context } from "./context.ts";

/** The signed-in user behind the call. Throws `NOT_SIGNED_IN` for anybody else. */
export const requireUser = (ctx: Pick<Context, "actor">): User => requireSession(ctx).user;

/** The signed-in user behind the call, with the session that it came with. Throws `NOT_SIGNED_IN` for anybody else. */
export const requireSession = (ctx: Pick<Context, "actor">): Extract<Actor, { kind: "user" }> => {
  if (ctx.actor.kind !== "user") throw new AppError("NOT_SIGNED_IN");
  return ctx.actor;
};

/** Lets admins and the operator pass. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const requireAdmin = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator") return;
  if (requireUser(ctx).role !== "admin") throw new AppError("FORBIDDEN");
};

/** Lets the operator alone pass. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const requireOperator = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator") return;
  requireUser(ctx);
  throw new AppError("FORBIDDEN");
};
