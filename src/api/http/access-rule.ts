import { AppError } from "#api/core/app-error.ts";
import type { Actor, Context } from "#api/core/context.ts";
import { isProven } from "#api/core/proof.ts";
import type { Access } from "#api/door/access.ts";
import type { Passage, Route } from "#api/door/passage.ts";
import { confirmPresence } from "#api/modules/account/index.ts";
import { allows, tokenTexts } from "#contract/api-tokens.ts";

/**
 * Lets an actor through to a route of an access level. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. An API token gets to what is
 * public and to what is for admins, as far as its scopes reach: see {@link checkScope}.
 */
export const checkAccess = (actor: Actor, access: Access): void => {
  if (access === "public" || actor.kind === "operator") return;
  if (actor.kind === "visitor") throw new AppError("NOT_SIGNED_IN");
  if (actor.kind === "token") {
    if (access !== "admin") throw new AppError("FORBIDDEN", tokenTexts.notForTokens);
    return;
  }
  if (access === "operator" || (access === "admin" && actor.user.role !== "admin"))
    throw new AppError("FORBIDDEN");
};

/** Throws `NOT_SIGNED_IN` for people where only API tokens may call, and `FORBIDDEN` for an API token that lacks the scope of a route, and has the answer name it (RFC 6750 §3); `SESSION_REQUIRED` where no token may. */
export const checkScope = ({ actor, bearer }: Pick<Passage, "actor" | "bearer">, route: Route): void => {
  const { scope } = route;
  if (isForTokens(route) && actor.kind !== "token") throw new AppError("NOT_SIGNED_IN");
  if (actor.kind !== "token" || scope === null || scope === "any") return;
  if (scope === "none") throw new AppError("SESSION_REQUIRED");
  if (allows(actor.token.scopes, scope)) return;
  if (bearer !== null) bearer.challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  throw new AppError("FORBIDDEN", tokenTexts.scopeMissing(scope));
};

/**
 * Lets a call go on whose session has shown what its route wants. Throws `REAUTHENTICATION_REQUIRED`, or what is wrong with the
 * password that came in its stead; `body` is `undefined` before it was read, when one that may hold a password is waited for.
 */
export const checkProof = (ctx: Context, route: Route, body?: unknown): void | Promise<void> => {
  if (isProven(ctx)) return;
  if (!route.takesPassword) return confirmPresence(ctx, undefined);
  if (body === undefined) return;
  const password: unknown = Reflect.get(Object(body), "password");
  return confirmPresence(ctx, typeof password === "string" ? password : undefined);
};

/** Whether nobody but API tokens may call a route: what a browser sends by itself counts for nothing there. */
export const isForTokens = ({ bodyKind }: Route): boolean => bodyKind === "message";
