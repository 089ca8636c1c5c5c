import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { findSession, type StoredSession, touchSession } from "#api/modules/sessions/index.ts";
import { limits } from "#contract/limits.ts";
import { type CredentialSource, createCredentialSource } from "./credential-source.ts";
import { createSessionCheck } from "./session-check.ts";

/** Finds the session behind a cookie's token. */
export type SessionSource = CredentialSource<StoredSession> & {
  /** Moves the session's end, at most once a minute. True when the browser's cookie should be renewed too. */
  touch(session: StoredSession): boolean;
};

const cookieRenewalMs = 24 * 60 * 60 * 1000;

/** Reads sessions from the database and remembers them, as {@link createCredentialSource} does. */
export const createSessionSource = (services: Services): SessionSource => {
  const { db, lookups, clock, log } = services;
  const source = createCredentialSource<StoredSession>(services, {
    read: (tokenHash) => findSession(lookups, tokenHash),
    isOver: ({ expiresAt }, nowMs) => expiresAt.getTime() <= nowMs,
    concerns: (event) => ("userId" in event ? ({ user }) => user.id === event.userId : null),
    check: createSessionCheck(lookups),
  });
  return {
    ...source,
    touch: (session) => {
      const now = clock.now();
      if (now.getTime() - session.lastUsedAt.getTime() < limits.sessionTouchMs) return false;
      const expiresAt = new Date(now.getTime() + limits.sessionMs);
      const isCookieOld = expiresAt.getTime() - session.expiresAt.getTime() > cookieRenewalMs;
      session.lastUsedAt = now;
      // The request does not wait: a session that is not extended now is extended by the next request.
      touchSession(db, session.tokenHash, now, isCookieOld ? expiresAt : session.expiresAt).catch((error) =>
        log.warn("a session could not be extended", { error: describeError(error) }),
      );
      if (isCookieOld) session.expiresAt = expiresAt;
      return isCookieOld;
    },
  };
};
