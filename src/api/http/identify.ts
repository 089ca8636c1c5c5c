import type { Actor } from "#api/core/context.ts";
import type { StoredSession } from "#api/modules/sessions/index.ts";
import type { Passage } from "./passage.ts";
import type { SessionSource } from "./session-source.ts";

/** Puts the actor of the cookie's session into the passage; a promise only when the database must be asked. */
export type Identify = (passage: Passage) => void | Promise<void>;

/** Finds out by the session's cookie who calls, and keeps the session alive. */
export const createIdentify =
  (sessions: SessionSource): Identify =>
  (passage) => {
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

/** The person of a session as the one who acts. */
export const actorOf = ({ user, tokenHash }: StoredSession): Actor => ({
  kind: "user",
  user,
  sessionHash: tokenHash,
});
