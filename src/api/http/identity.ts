import { isProven, requireFactor } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Actor, Context } from "#api/core/context.ts";
import type { Access } from "#api/door/access.ts";
import type { Bearer, Exchange, Route } from "#api/door/exchange.ts";
import { confirmPresence } from "#api/modules/account/index.ts";
import type { StoredToken } from "#api/modules/tokens/index.ts";
import { allows, tokenTexts } from "#contract/api-tokens.ts";
import { limits } from "#contract/limits.ts";
import { backgroundHeader } from "#contract/proof.ts";
import type { FoundSession, SessionSource, TokenSource, TokenVerdict } from "./credentials.ts";

/**
 * Sets the exchange's actor from the session cookie or the API token. Returns a promise only when it needs the database.
 * Rejects, and never throws, for an invalid token.
 */
export type Identify = (exchange: Exchange) => void | Promise<void>;

/** Identifies the caller, and extends the session that is used. */
export const createIdentify = ({
  sessions,
  tokens,
}: {
  sessions: SessionSource;
  tokens: TokenSource;
}): Identify => {
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
    const take = (session: FoundSession | null) => {
      if (!session) {
        // It may have ended while the body arrived, replaced by a token that the browser already has.
        exchange.cookies.session.leave();
        return;
      }
      const sinceUseMs = exchange.at.getTime() - session.lastUsedAt.getTime();
      const isUse = sinceUseMs >= limits.sessionTouchMs && !isBackground(exchange.request);
      const isRenewed = isUse && sessions.touch(session, exchange.at);
      exchange.actor = session.actor;
      if (isRenewed)
        exchange.cookies.session.set(token, session.actor.endsAt.getTime() - exchange.at.getTime());
    };
    const found = sessions.find(token, exchange.at);
    return found instanceof Promise ? found.then(take) : take(found);
  };
};

/** The same for optional identity: with an invalid token, or without the database, the caller is a visitor. */
export const leniently =
  (identify: Identify): Identify =>
  (exchange) => {
    const identified = identify(exchange);
    return identified instanceof Promise ? identified.catch(() => undefined) : identified;
  };

/**
 * Whether a page made a request automatically, with no one at it: then it is no use of the session, which ends as if the page were
 * closed. A browser's event streams can have no header of their own.
 */
const isBackground = ({ headers }: Request): boolean =>
  headers.has(backgroundHeader) || headers.get("accept") === "text/event-stream";

/** A token as an actor. */
const actorOfToken = ({ row, owner }: StoredToken): Actor => {
  const { id, name, scopes, callsPerMinute } = row;
  return { kind: "token", token: { id, name, scopes, callsPerMinute }, owner };
};

/**
 * Judges whether the actor may call a route, and whether they have proven what it requires: see {@link hasProof}. Throws what
 * {@link checkAccess}, {@link checkScope}, {@link checkEnrolment} and {@link hasProof} throw, in this order.
 */
export const judge = (exchange: Exchange, route: Route): boolean => {
  checkAccess(exchange.actor, route.access);
  checkScope(exchange, route);
  checkEnrolment(exchange, route);
  return hasProof(exchange, route);
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
const checkScope = ({ actor, bearer }: Pick<Exchange, "actor" | "bearer">, route: Route): void => {
  const { scope, isForTokens } = route;
  if (isForTokens && actor.kind !== "token") throw new AppError("NOT_SIGNED_IN");
  if (actor.kind !== "token" || scope === null || scope === "any") return;
  if (scope === "none") throw new AppError("SESSION_REQUIRED");
  if (allows(actor.token.scopes, scope)) return;
  if (bearer !== null) bearer.challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  throw new AppError("FORBIDDEN", tokenTexts.scopeMissing(scope));
};

/**
 * Checks that the user of a session doesn't have to set up a second factor first: they reach only what that takes, and what is
 * public. Throws `ENROLMENT_REQUIRED`.
 */
const checkEnrolment = ({ actor, at }: Exchange, { access, isForEnrolment }: Route): void => {
  if (actor.kind !== "user" || actor.factorRequiredBy === undefined) return;
  if (access === "public" || isForEnrolment || actor.factorRequiredBy > at) return;
  throw new AppError("ENROLMENT_REQUIRED");
};

/**
 * Whether the session has proven what the route requires. Where the proof is the password itself, the operation checks it, together
 * with the account that it changes. Throws `REAUTHENTICATION_REQUIRED` where a second factor is wanted, which no password replaces.
 */
const hasProof = ({ actor, at }: Exchange, { proof }: Route): boolean => {
  if (proof === "none") return true;
  if (proof !== "recent") requireFactor(actor, at);
  return isProven(actor, at) || proof === "password";
};

/**
 * Takes the password in the body for the proof that a session lacks. Throws `REAUTHENTICATION_REQUIRED`, or what is wrong with the
 * password. `body` is `undefined` until it is read; a route that takes a password is decided only then.
 */
export const takeProof = (ctx: Context, route: Route, body?: unknown): void | Promise<void> => {
  if (!route.takesPassword) return confirmPresence(ctx, undefined);
  if (body === undefined) return;
  const password: unknown = Reflect.get(Object(body), "password");
  return confirmPresence(ctx, typeof password === "string" ? password : undefined);
};
