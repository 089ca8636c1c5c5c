import { allows, type TokenScope, tokenTexts } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import { type ProviderName, providerIdFields, providerNames, type Role, type User } from "#contract/users.ts";
import { AppError } from "./app-error.ts";
import type { Actor, Context } from "./context.ts";

/** Whether somebody acts with the rights of an admin from afar: by a session, or by a token that an admin made. */
export const isAdmin = (actor: Actor): boolean =>
  actor.kind === "token" || (actor.kind === "user" && actor.user.role === "admin");

/** How who acts is named in what is stored. */
export const nameOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.email;
  if (actor.kind !== "token") return actor.kind;
  return `${actor.owner?.email ?? "operator"} (token ${actor.token.name})`;
};

/** One text for each one who acts, to count by. */
export const idOfActor = (actor: Actor): string => {
  if (actor.kind === "user") return actor.user.id;
  return actor.kind === "token" ? actor.token.id : actor.kind;
};

/** The person in whose name somebody acts: a token does in its owner's. `null`: nobody's. */
export const personBehind = (actor: Actor): User | null => {
  if (actor.kind === "user") return actor.user;
  return actor.kind === "token" ? actor.owner : null;
};

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

/** The page on which people see and change their own account. */
export const accountLink = (ctx: Context): string => `${ctx.appUrl}/dashboard`;

/** The providers through which an account can be signed in to, where this server offers them. */
export const linkedProviders = (user: Pick<User, "googleId" | "githubId">): ProviderName[] =>
  providerNames.filter((name) => user[providerIdFields[name]] !== null);

/** What the table of users holds of a person, as far as the person may be shown. */
type UserFields = {
  id: string;
  name: string;
  email: string;
  role: Role;
  googleId: string | null;
  githubId: string | null;
  emailVerifiedAt: Date | null;
  createdAt: Date;
};

/** The row as the API shows it. */
export const toUser = (row: UserFields): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  googleId: row.googleId,
  githubId: row.githubId,
  emailVerified: row.emailVerifiedAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Whether who acts has shown within the last minutes that they are there: by signing in, or by confirming it. The operator and
 * API tokens, behind which nobody sits, need not.
 */
export const isProven = ({ actor, clock }: Pick<Context, "actor" | "clock">): boolean =>
  actor.kind !== "user" || clock.now().getTime() - actor.provenAt.getTime() < limits.freshSessionMs;
