import { isProven, requireFactor } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Actor, Context } from "#api/core/context.ts";
import type { Access } from "#api/door/access.ts";
import type { Exchange, Route } from "#api/door/exchange.ts";
import { confirmPresence } from "#api/modules/account/index.ts";
import type { StoredSession } from "#api/modules/sessions/index.ts";
import type { StoredToken } from "#api/modules/tokens/index.ts";
import { allows, tokenTexts } from "#contract/api-tokens.ts";
import type { SessionSource, TokenSource, TokenVerdict } from "./credentials.ts";

/**
 * Sets the exchange's actor from the session cookie or the API token. Returns a promise only when it needs the database.
 * Rejects, and never throws, for an invalid token.
 */
export type Identify = (exchange: Exchange) => void | Promise<void>;

/** Identifies the caller and extends the session. */
export const createIdentify = (sessions: SessionSource, tokens: TokenSource): Identify => {
  const identifyToken = (exchange: Exchange, bearer: Bearer): void | Promise<void> => {
    const { ip, requestId } = exchange;
    // A second check of the same request must not count it again.
    if (bearer.refusal !== null) return Promise.reject(bearer.refusal);
    const take = (verdict: TokenVerdict): void | Promise<void> => {
      if ("refusal" in verdict) {
        bearer.fault = verdict.fault;
        bearer.refusal = verdict.refusal;
        bearer.challenge = 'Bearer error="invalid_token"';
        return Promise.reject(verdict.refusal);
      }
      exchange.actor = actorOfToken(verdict.token);
      tokens.touch(verdict.token, ip);
    };
    const verdict = tokens.judge({ token: bearer.token, ip, requestId });
    return verdict instanceof Promise ? verdict.then(take) : take(verdict);
  };

  return (exchange) => {
    if (exchange.bearer !== null) return identifyToken(exchange, exchange.bearer);
    const { token } = exchange.cookies.session;
    if (token === null) return;
    const take = (session: StoredSession | null) => {
      if (!session) {
        // It may have ended while the body arrived, replaced by a token that the browser already has.
        exchange.cookies.session.leave();
        return;
      }
      exchange.actor = actorOf(session);
      if (sessions.touch(session)) exchange.cookies.session.set(token);
    };
    const found = sessions.find(token);
    return found instanceof Promise ? found.then(take) : take(found);
  };
};

/** The same for optional identity: with an invalid token, or without the database, the caller is a visitor. */
export const leniently =
  (identify: Identify): Identify =>
  (exchange) => {
    try {
      const identified = identify(exchange);
      return identified instanceof Promise ? identified.catch(() => undefined) : identified;
    } catch {
      return undefined;
    }
  };

type Bearer = NonNullable<Exchange["bearer"]>;

/** The user of a session as an actor. */
export const actorOf = (session: StoredSession): Actor => {
  const { user, tokenHash, confirmedAt, factorAt, secondFactorAt } = session;
  const actor = { kind: "user", user, sessionHash: tokenHash, provenAt: confirmedAt } as const;
  if (secondFactorAt === null) return actor;
  return { ...actor, secondFactor: { enabledAt: secondFactorAt, provenAt: factorAt } };
};

/** A token as an actor. */
const actorOfToken = ({ row, owner }: StoredToken): Actor => {
  const { id, name, scopes, callsPerMinute } = row;
  return { kind: "token", token: { id, name, scopes, callsPerMinute }, owner };
};

/**
 * Checks that an actor has a route's access level. Throws `NOT_SIGNED_IN` or `FORBIDDEN`. API tokens reach public routes,
 * and admin routes within their scopes: see {@link checkScope}.
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

/**
 * Throws `NOT_SIGNED_IN` for users where only API tokens may call, `SESSION_REQUIRED` for tokens where none may, and
 * `FORBIDDEN` for a token without the route's scope, which the response then names (RFC 6750 §3).
 */
export const checkScope = ({ actor, bearer }: Pick<Exchange, "actor" | "bearer">, route: Route): void => {
  const { scope } = route;
  if (isForTokens(route) && actor.kind !== "token") throw new AppError("NOT_SIGNED_IN");
  if (actor.kind !== "token" || scope === null || scope === "any") return;
  if (scope === "none") throw new AppError("SESSION_REQUIRED");
  if (allows(actor.token.scopes, scope)) return;
  if (bearer !== null) bearer.challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  throw new AppError("FORBIDDEN", tokenTexts.scopeMissing(scope));
};

/**
 * Checks that a session has proven what the route requires. Throws `REAUTHENTICATION_REQUIRED`, or what is wrong with the
 * password in the body. `body` is `undefined` until it is read; a route that takes a password is decided only then. Where the
 * proof is the password itself, the operation checks it, together with the account that it changes. A second factor is not
 * replaced by a password.
 */
export const checkProof = (ctx: Context, route: Route, body?: unknown): void | Promise<void> => {
  if (route.proof !== "recent") requireFactor(ctx);
  if (isProven(ctx) || route.proof === "password") return;
  if (!route.takesPassword) return confirmPresence(ctx, undefined);
  if (body === undefined) return;
  const password: unknown = Reflect.get(Object(body), "password");
  return confirmPresence(ctx, typeof password === "string" ? password : undefined);
};

/** Whether only API tokens may call a route, so that what browsers send automatically is ignored. */
export const isForTokens = ({ bodyKind }: Route): boolean => bodyKind === "message";
