/** What is remembered of a session or a token; `version` is another one after each change. */
export type Versioned = { tokenHash: string; version: string };

/** Whether one is still as it was found; asked anew each time. Rejects when the database is away. */
export type CredentialCheck<T extends Versioned> = (one: T) => Promise<boolean>;

/** The hashes of those that are not as they were found. */
export type FindChanged<T extends Versioned> = (seen: T[]) => Promise<ReadonlySet<string>>;

type Batch<T> = { seen: Map<string, T>; changed: Promise<ReadonlySet<string>> };

/**
 * Asks the database about all at once that were asked for since the last question left: under load a request's
 * share of it is a fraction of a look-up. Nobody joins a question that is under way, because it may have been answered
 * before the change that they must see.
 */
export const createCredentialCheck = <T extends Versioned>(
  findChanged: FindChanged<T>,
): CredentialCheck<T> => {
  let next: Batch<T> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const open = (): Batch<T> => {
    const seen = new Map<string, T>();
    const asked = underWay.then(() => {
      next = null;
      return [findChanged([...seen.values()]), Bun.sleep(pauseMs)] as const;
    });
    const changed = asked.then(([answer]) => answer);
    underWay = asked.then((both) => Promise.allSettled(both));
    return { seen, changed };
  };

  return async (one) => {
    next ??= open();
    const { seen, changed } = next;
    const { tokenHash, version } = one;
    // Of two that were found at different times one is out of date: it is read again.
    const isOther = seen.has(tokenHash) && seen.get(tokenHash)?.version !== version;
    if (!isOther) seen.set(tokenHash, one);
    return !(await changed).has(tokenHash) && !isOther;
  };
};

// Who comes alone does not wait for it. Above a thousand calls a second it lets more of them share a question.
const pauseMs = 1;
