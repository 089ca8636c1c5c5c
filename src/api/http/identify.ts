import type { Actor } from "#api/core/context.ts";
import type { Passage } from "#api/door/passage.ts";
import type { StoredSession } from "#api/modules/sessions/index.ts";
import type { StoredToken } from "#api/modules/tokens/index.ts";
import type { SessionSource } from "./session-source.ts";
import type { TokenSource, TokenVerdict } from "./token-source.ts";

/**
 * Puts who acts, by the cookie's session or by the API token that came along, into the passage; a promise only when the
 * database must be asked. Rejects, and never throws, for a token that is no good.
 */
export type Identify = (passage: Passage) => void | Promise<void>;

/** Finds out who calls, and keeps a session alive. */
export const createIdentify = (sessions: SessionSource, tokens: TokenSource): Identify => {
  const identifyToken = (passage: Passage, bearer: Bearer): void | Promise<void> => {
    const { ip, requestId } = passage;
    // Whoever asks again about the same call must not have it counted again.
    if (bearer.refusal !== null) return Promise.reject(bearer.refusal);
    const take = (verdict: TokenVerdict): void | Promise<void> => {
      if ("refusal" in verdict) {
        bearer.fault = verdict.fault;
        bearer.refusal = verdict.refusal;
        bearer.challenge = 'Bearer error="invalid_token"';
        return Promise.reject(verdict.refusal);
      }
      passage.actor = actorOfToken(verdict.token);
      tokens.touch(verdict.token, ip);
    };
    const verdict = tokens.judge({ token: bearer.token, ip, requestId });
    return verdict instanceof Promise ? verdict.then(take) : take(verdict);
  };

  return (passage) => {
    if (passage.bearer !== null) return identifyToken(passage, passage.bearer);
    const { token } = passage.cookies.session;
    if (token === null) return;
    const take = (session: StoredSession | null) => {
      if (!session) return;
      passage.actor = actorOf(session);
      if (sessions.touch(session)) passage.cookies.session.set(token);
    };
    const found = sessions.find(token);
    return found instanceof Promise ? found.then(take) : take(found);
  };
};

/** The same for those who decide without, too: a token that is no good, or a database that is away, leaves a visitor. */
export const leniently =
  (identify: Identify): Identify =>
  (passage) => {
    try {
      const identified = identify(passage);
      return identified instanceof Promise ? identified.catch(() => undefined) : identified;
    } catch {
      return undefined;
    }
  };

type Bearer = NonNullable<Passage["bearer"]>;

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
