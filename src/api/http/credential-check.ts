/** What is remembered of a session or a token; `version` is another one after each change. */
export type Versioned = { tokenHash: string; version: string };

/** Whether one is still as it was found; asked anew each time. Rejects when the database is away. */
export type CredentialCheck<T extends Versioned> = (one: T) => Promise<boolean>;

/** The hashes of those that are not as they were found. */
export type FindChanged<T extends Versioned> = (seen: T[]) => Promise<ReadonlySet<string>>;

type Batch<T> = { seen: Map<string, T>; callers: number; changed: Promise<ReadonlySet<string>> };

/**
 * Asks the database about all sessions that came since the previous question left. Nobody joins a question that has left,
 * because it may have been answered before the change that they must see: they share the next one, which leaves when
 * the answer is here. After a question that many shared the next one waits a moment longer, so that more share it: each
 * request's part of a question is then a fraction of a look-up.
 */
export const createCredentialCheck = <T extends Versioned>(
  findChanged: FindChanged<T>,
): CredentialCheck<T> => {
  let next: Batch<T> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const open = (): Batch<T> => {
    const seen = new Map<string, T>();
    const leave = () => {
      const pause = (next?.callers ?? 0) > few ? Bun.sleep(pauseMs) : null;
      next = null;
      return [findChanged([...seen.values()]), pause] as const;
    };
    const left = underWay.then(leave);
    underWay = left.then((both) => Promise.allSettled(both));
    return { seen, callers: 0, changed: left.then(([answer]) => answer) };
  };

  return async (one) => {
    next ??= open();
    const { seen, changed } = next;
    next.callers += 1;
    const { tokenHash, version } = one;
    // Of two that were found at different times one is out of date: it is read again.
    const isOther = seen.has(tokenHash) && seen.get(tokenHash)?.version !== version;
    if (!isOther) seen.set(tokenHash, one);
    return !(await changed).has(tokenHash) && !isOther;
  };
};

// Up to 16 at once get their answers soonest when nobody waits; above that, what a question costs matters more.
const few = 16;
const pauseMs = 1;
