import type { Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { AppEvent } from "#api/core/events.ts";
import { hashToken } from "#api/core/tokens.ts";
import { findSession, type StoredSession, touchSession } from "#api/modules/sessions/index.ts";
import { limits } from "#contract/limits.ts";
import { createSessionCheck, type SessionCheck } from "./session-check.ts";

/** Finds the session behind a cookie's token; the answer is at hand while the cache knows it. */
export type SessionSource = {
  find(token: string): StoredSession | null | Promise<StoredSession | null>;
  /** Moves the session's end, at most once a minute. True when the browser's cookie should be renewed too. */
  touch(session: StoredSession): boolean;
  /** How often sessions were asked for, and how often the database had to be asked for one. */
  readonly looks: { asked: number; read: number };
  stop(): void;
};

const rememberedSessions = 10_000;
const rememberedMs = 60_000;
const cookieRenewalMs = 24 * 60 * 60 * 1000;

type Remembered = { session: StoredSession; until: number };

/**
 * Reads sessions from the database and remembers them. A change made anywhere drops what is remembered: at once in
 * this process, by event from another. An event takes its time, and the very next request must see the change: where
 * other processes may use the database, what is remembered is checked there before each use, for all requests of a
 * moment at once. While events of others do not arrive, every request reads the database.
 */
export const createSessionSource = ({
  db,
  lookups,
  database,
  clock,
  events,
  log,
}: Services): SessionSource => {
  const remembered = new Map<string, Remembered>();
  const isUnchanged = database.kind === "postgres" ? createSessionCheck(lookups) : null;
  // Counts the drops: a look-up that began before one must not be remembered after it.
  let generation = 0;
  const forget = (event: AppEvent) => {
    if (!("userId" in event)) return;
    generation += 1;
    for (const [hash, { session }] of remembered)
      if (session.user.id === event.userId) remembered.delete(hash);
  };
  const forgetAll = () => {
    generation += 1;
    remembered.clear();
  };
  const stop = events.subscribe(forget, forgetAll);

  const looks = { asked: 0, read: 0 };
  const look = async (tokenHash: string): Promise<StoredSession | null> => {
    looks.read += 1;
    const begun = generation;
    const session = await findSession(lookups, tokenHash);
    const now = clock.now().getTime();
    if (!session || session.expiresAt.getTime() <= now) return null;
    if (begun !== generation || !events.isConnected) return session;
    if (remembered.size >= rememberedSessions) forgetOldest(remembered);
    remembered.set(tokenHash, { session, until: now + rememberedMs });
    return session;
  };

  const findChecked = async (session: StoredSession, check: SessionCheck): Promise<StoredSession | null> => {
    if (await check(session)) return session;
    remembered.delete(session.tokenHash);
    return look(session.tokenHash);
  };

  return {
    looks,
    find: (token) => {
      looks.asked += 1;
      const tokenHash = hashToken(token);
      const known = remembered.get(tokenHash);
      if (!known || !events.isConnected) return look(tokenHash);
      const now = clock.now().getTime();
      if (known.until <= now || known.session.expiresAt.getTime() <= now) {
        remembered.delete(tokenHash);
        return look(tokenHash);
      }
      return isUnchanged === null ? known.session : findChecked(known.session, isUnchanged);
    },
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
    stop,
  };
};

const forgetOldest = (remembered: Map<string, Remembered>): void => {
  for (const hash of remembered.keys()) {
    remembered.delete(hash);
    return;
  }
};
