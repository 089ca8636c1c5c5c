import type { Services } from "#api/core/context.ts";
import type { AppEvent } from "#api/core/events.ts";
import { hashToken } from "#api/core/ids.ts";
import type { CredentialCheck, Versioned } from "./credential-check.ts";

/** Finds what is behind a token: a session or an API token; the answer is at hand while it is remembered. */
export type CredentialSource<T> = {
  find(token: string): T | null | Promise<T | null>;
  /** How often it was asked, and how often the database had to be. */
  readonly looks: { asked: number; read: number };
  stop(): void;
};

/** What kind of thing is remembered. */
export type CredentialKind<T extends Versioned> = {
  /** Reads one by its hash; `null` when there is none. */
  read(tokenHash: string): Promise<T | null>;
  /** Whether it has ended by itself: then it is as if there were none. */
  isOver(one: T, nowMs: number): boolean;
  /** Which of those that are remembered an event may have changed; `null` for none. */
  concerns(event: AppEvent): ((one: T) => boolean) | null;
  check: CredentialCheck<T>;
};

const mostRemembered = 10_000;
const rememberedMs = 60_000;

type Remembered<T> = { one: T; until: number };

/**
 * Reads them from the database and remembers them. A change made anywhere drops what is remembered: at once in
 * this process, by event from another. An event takes its time, and the very next request must see the change: where
 * other processes may use the database, what is remembered is checked there before each use, for all requests of a
 * moment at once. While events of others do not arrive, every request reads the database.
 */
export const createCredentialSource = <T extends Versioned>(
  { database, clock, events }: Pick<Services, "database" | "clock" | "events">,
  { read, isOver, concerns, check }: CredentialKind<T>,
): CredentialSource<T> => {
  const remembered = new Map<string, Remembered<T>>();
  const isShared = database.kind === "postgres";
  // Counts the drops: a look-up that began before one must not be remembered after it.
  let generation = 0;
  const forget = (event: AppEvent) => {
    const isConcerned = concerns(event);
    if (isConcerned === null) return;
    generation += 1;
    for (const [hash, { one }] of remembered) if (isConcerned(one)) remembered.delete(hash);
  };
  const forgetAll = () => {
    generation += 1;
    remembered.clear();
  };
  const stop = events.subscribe(forget, forgetAll);

  const looks = { asked: 0, read: 0 };
  const look = async (tokenHash: string): Promise<T | null> => {
    looks.read += 1;
    const begun = generation;
    const one = await read(tokenHash);
    const now = clock.now().getTime();
    if (!one || isOver(one, now)) return null;
    if (begun !== generation || !events.isConnected) return one;
    if (remembered.size >= mostRemembered) forgetOldest(remembered);
    remembered.set(tokenHash, { one, until: now + rememberedMs });
    return one;
  };

  const findChecked = async (one: T): Promise<T | null> => {
    if (await check(one)) return one;
    remembered.delete(one.tokenHash);
    return look(one.tokenHash);
  };

  return {
    looks,
    find: (token) => {
      looks.asked += 1;
      const tokenHash = hashToken(token);
      const known = remembered.get(tokenHash);
      if (!known || !events.isConnected) return look(tokenHash);
      const now = clock.now().getTime();
      if (known.until <= now || isOver(known.one, now)) {
        remembered.delete(tokenHash);
        return look(tokenHash);
      }
      return isShared ? findChecked(known.one) : known.one;
    },
    stop,
  };
};

const forgetOldest = (remembered: Map<string, unknown>): void => {
  for (const hash of remembered.keys()) {
    remembered.delete(hash);
    return;
  }
};
