import { isProven } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Actor, Context } from "#api/core/context.ts";
import type { Access } from "#api/door/access.ts";
import type { Exchange, Route } from "#api/door/exchange.ts";
import { confirmPresence } from "#api/modules/account/index.ts";
import type { StoredSession } from "#api/modules/sessions/index.ts";
import type { StoredToken } from "#api/modules/tokens/index.ts";
import { allows, tokenTexts } from "#contract/api-tokens.ts";
import { fieldTexts } from "#contract/errors.ts";
import { isUnstorable } from "./body.ts";
import type { SessionSource, TokenSource, TokenVerdict } from "./credentials.ts";

/**
 * Puts who acts, by the cookie's session or by the API token that came along, into the exchange; a promise only when the
 * database must be asked. Rejects, and never throws, for a token that is no good.
 */
export type Identify = (exchange: Exchange) => void | Promise<void>;

/** Finds out who calls, and keeps a session alive. */
export const createIdentify = (sessions: SessionSource, tokens: TokenSource): Identify => {
  const identifyToken = (exchange: Exchange, bearer: Bearer): void | Promise<void> => {
    const { ip, requestId } = exchange;
    // Whoever asks again about the same call must not have it counted again.
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
        // It may have ended while the body arrived, replaced by a token that the browser has already.
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

/** The same for those who decide without, too: a token that is no good, or a database that is away, leaves a visitor. */
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

/** The person of a session as the one who acts. */
export const actorOf = ({ user, tokenHash, createdAt }: StoredSession): Actor => ({
  kind: "user",
  user,
  sessionHash: tokenHash,
  provenAt: createdAt,
});

/** A token as the one who acts. */
const actorOfToken = ({ row, owner }: StoredToken): Actor => {
  const { id, name, scopes, callsPerMinute } = row;
  return { kind: "token", token: { id, name, scopes, callsPerMinute }, owner };
};

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

/**
 * Lets a query through that can be read in one way only. `search` is empty or begins with `?`. Throws `BAD_REQUEST`
 * for escapes that are no UTF-8, and a 422 for a field that holds a NUL, that is none of `names` where they are given, or,
 * unless fields `mayRepeat`, is given twice.
 */
export const checkQuery = (
  search: string,
  { mayRepeat = false, names = null }: { mayRepeat?: boolean; names?: readonly string[] | null } = {},
): void => {
  if (search === "") return;
  const seen = new Set<string>();
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    if (isUnstorable(name)) throw new AppError("BAD_REQUEST");
    const path = name.slice(0, 100);
    // Misspelt, the wish for a dry run would carry the change out.
    if (names !== null && !names.includes(name))
      throw validationError([{ path, message: fieldTexts.unknown }]);
    if (seen.has(name) && !mayRepeat) throw validationError([{ path, message: fieldTexts.repeated }]);
    if (at >= 0 && isUnstorable(decode(pair.slice(at + 1)))) {
      throw validationError([{ path, message: fieldTexts.unprintable }]);
    }
    seen.add(name);
  }
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new AppError("BAD_REQUEST", undefined, { cause });
  }
};
