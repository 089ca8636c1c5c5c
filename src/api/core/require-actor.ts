import { allows, type TokenScope, tokenTexts } from "#contract/api-tokens.ts";
import type { User } from "#contract/users.ts";
import { AppError } from "./app-error.ts";
import type { Actor, Context } from "./context.ts";

/** The signed-in user behind the call. Throws `FORBIDDEN` for an API token, and `NOT_SIGNED_IN` for anybody else. */
export const requireUser = (ctx: Pick<Context, "actor">): User => requireSession(ctx).user;

/**
 * The signed-in user behind the call, with the session that it came with. Throws `FORBIDDEN` for an API token, and
 * `NOT_SIGNED_IN` for anybody else.
 */
export const requireSession = (ctx: Pick<Context, "actor">): Extract<Actor, { kind: "user" }> => {
  if (ctx.actor.kind === "token") throw new AppError("FORBIDDEN", tokenTexts.notForTokens);
  if (ctx.actor.kind !== "user") throw new AppError("NOT_SIGNED_IN");
  return ctx.actor;
};

/** Refuses API tokens, whatever they are allowed: a person has to do this. Throws `SESSION_REQUIRED`. */
export const refuseTokens = ({ actor }: Pick<Context, "actor">): void => {
  if (actor.kind === "token") throw new AppError("SESSION_REQUIRED");
};

/**
 * Lets admins, their API tokens and the operator pass; whether the token's scopes reach is decided by the route. Throws
 * `NOT_SIGNED_IN` or `FORBIDDEN`.
 */
export const requireAdmin = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator" || ctx.actor.kind === "token") return;
  if (requireUser(ctx).role !== "admin") throw new AppError("FORBIDDEN");
};

/** Lets the operator alone pass. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. */
export const requireOperator = (ctx: Pick<Context, "actor">): void => {
  if (ctx.actor.kind === "operator") return;
  requireUser(ctx);
  throw new AppError("FORBIDDEN");
};

/**
 * Refuses API tokens that are not allowed everything: what gives somebody an admin's rights, or takes them away, would
 * lift every other bound. Throws `FORBIDDEN`; everybody else passes.
 */
export const requireFullScope = (ctx: Pick<Context, "actor">): void => requireScope(ctx, "*");

/** Refuses API tokens that lack a scope which not every call of a route needs. Throws `FORBIDDEN`; everybody else passes. */
export const requireScope = ({ actor }: Pick<Context, "actor">, scope: TokenScope): void => {
  if (actor.kind === "token" && !allows(actor.token.scopes, scope))
    throw new AppError("FORBIDDEN", tokenTexts.scopeMissing(scope));
};
