import type { Database } from "#api/db/database.ts";
import { findChanged, type StoredSession } from "#api/modules/sessions/index.ts";

/** Whether a session is still as it was found; asked anew each time. Rejects when the database is away. */
export type SessionCheck = (session: StoredSession) => Promise<boolean>;

type Batch = { sessions: Map<string, StoredSession>; changed: Promise<ReadonlySet<string>> };

/**
 * Asks the database about all sessions at once that were asked for since the last question left: under load a request's
 * share of it is a fraction of a look-up. Nobody joins a question that is under way, because it may have been answered
 * before the change that they must see.
 */
export const createSessionCheck = (lookups: Database): SessionCheck => {
  let next: Batch | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const open = (): Batch => {
    const sessions = new Map<string, StoredSession>();
    const asked = underWay.then(() => {
      next = null;
      return [findChanged(lookups, [...sessions.values()]), Bun.sleep(pauseMs)] as const;
    });
    const changed = asked.then(([answer]) => answer);
    underWay = asked.then((both) => Promise.allSettled(both));
    return { sessions, changed };
  };

  return async (session) => {
    next ??= open();
    const { sessions, changed } = next;
    const { tokenHash, version } = session;
    // Of two that were found at different times one is out of date: it is read again.
    const isOther = sessions.has(tokenHash) && sessions.get(tokenHash)?.version !== version;
    if (!isOther) sessions.set(tokenHash, session);
    return !(await changed).has(tokenHash) && !isOther;
  };
};

// Who comes alone does not wait for it. Above a thousand calls a second it lets more of them share a question.
const pauseMs = 1;
