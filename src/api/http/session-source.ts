import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import {
  findSession,
  type SessionTouch,
  type StoredSession,
  touchSessions,
} from "#api/modules/sessions/index.ts";
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
  const { lookups, clock } = services;
  const source = createCredentialSource<StoredSession>(services, {
    read: (tokenHash) => findSession(lookups, tokenHash),
    isOver: ({ expiresAt }, nowMs) => expiresAt.getTime() <= nowMs,
    concerns: (event) => ("userId" in event ? ({ user }) => user.id === event.userId : null),
    check: createSessionCheck(lookups),
  });
  const note = createTouching(services);
  return {
    ...source,
    touch: (session) => {
      const now = clock.now();
      if (now.getTime() - session.lastUsedAt.getTime() < limits.sessionTouchMs) return false;
      const renewed = new Date(now.getTime() + limits.sessionMs);
      const isCookieOld = renewed.getTime() - session.expiresAt.getTime() > cookieRenewalMs;
      const expiresAt = isCookieOld ? renewed : session.expiresAt;
      // A session that is not extended now is extended by the next request.
      if (!note({ tokenHash: session.tokenHash, lastUsedAt: now, expiresAt })) return false;
      session.lastUsedAt = now;
      session.expiresAt = expiresAt;
      return isCookieOld;
    },
  };
};

/**
 * Notes used sessions without a wait for the request. Those that come while a statement is under way leave together in the next
 * one: a database that is late has one to do, whoever else needs it gets its turn, and what waits is a few bytes a session.
 */
const createTouching = ({ db, log }: Pick<Services, "db" | "log">): ((touch: SessionTouch) => boolean) => {
  const waiting: SessionTouch[] = [];
  let isWriting = false;

  const write = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      await touchSessions(db, waiting.splice(0, mostAtOnce)).catch((error) =>
        log.warn("sessions could not be extended", { error: describeError(error) }),
      );
    }
    isWriting = false;
  };

  /** False when too many wait. */
  return (touch) => {
    if (waiting.length >= mostWaiting) return false;
    waiting.push(touch);
    if (!isWriting) void write();
    return true;
  };
};

const mostWaiting = 10_000;
const mostAtOnce = 1_000;
