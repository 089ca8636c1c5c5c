import { isApiToken } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import { placeBudgets } from "#api/core/circumstances.ts";
import type { Services, SignedIn } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { hashToken } from "#api/core/ids.ts";
import { factorRequiredBy, isFactorOverdue, providerOfFactor } from "#api/core/password-policy.ts";
import type { TokenFault } from "#api/door/exchange.ts";
import {
  endAfterUse,
  findChanged,
  findSession,
  type SessionTouch,
  type StoredSession,
  sessionEnd,
  sessionTimes,
  touchSessions,
} from "#api/modules/sessions/index.ts";
import { findChangedTokens, findToken, type StoredToken, touchToken } from "#api/modules/tokens/index.ts";
import { tokenLimits, tokenTexts } from "#contract/api-tokens.ts";
import { isWithin } from "#contract/endpoints.ts";
import { limits } from "#contract/limits.ts";
import { tryAgainIn } from "#contract/relative-time.ts";
import { forgetFirst } from "./client.ts";

/** Finds what is behind a token: a session or an API token; the answer is at hand while it is remembered. */
type CredentialSource<T> = {
  find(token: string, at?: Date): T | null | Promise<T | null>;
  /** How often it was asked, and how often the database had to be. */
  readonly looks: { asked: number; read: number };
  stop(): void;
};

/** What kind of thing is remembered. */
type CredentialKind<T extends Versioned> = {
  /** Reads one by its hash; `null` when there is none. */
  read(tokenHash: string): Promise<T | null>;
  /** When it ends if it isn't used: then it counts as missing. `null` for those that are judged by whoever asks. */
  endOf(one: T): Date | null;
  /** Whose it is; what changes that user changes it. */
  ownerOf(one: T): string | null;
  /** Whether it is the API token with this id. */
  isToken(one: T, id: string): boolean;
  check: CredentialCheck<T>;
};

const mostRemembered = 10_000;
const rememberedMs = 60_000;

type Remembered<T> = { one: T; until: number };

/**
 * Reads credentials from the database and caches them. A change drops cached ones: immediately in this process, by
 * event in another. Events take time, and the next request must see the change: where other processes may use the
 * database, cached ones are checked there before each use, for all simultaneous requests in one query. While events of
 * others do not arrive, every request reads the database.
 */
const createCredentialSource = <T extends Versioned>(
  { database, clock, events, settings }: Pick<Services, "database" | "clock" | "events" | "settings">,
  { read, endOf, ownerOf, isToken, check }: CredentialKind<T>,
): CredentialSource<T> => {
  const remembered = new Map<string, Remembered<T>>();
  const isShared = database.kind === "postgres";
  // Counts invalidations: a lookup that started before one must not be cached after it.
  let generation = 0;
  const forget = (isConcerned: (one: T) => boolean) => {
    generation += 1;
    for (const [hash, { one }] of remembered) if (isConcerned(one)) remembered.delete(hash);
  };
  const forgetAll = () => {
    generation += 1;
    remembered.clear();
  };
  const forgetOwner = ({ userId }: { userId: string }) => forget((one) => ownerOf(one) === userId);
  const ignoreEvents = events.subscribe(
    {
      "sessions-ended": forgetOwner,
      "user-changed": forgetOwner,
      "token-changed": ({ tokenId }) => forget((one) => isToken(one, tokenId)),
    },
    forgetAll,
  );
  // When sessions end, and whom a policy concerns, follows from these as soon as they apply here.
  const ignoreSettings = settings.subscribe(["accounts", "providers"], forgetAll);

  const looks = { asked: 0, read: 0 };
  const look = async (tokenHash: string, at: Date): Promise<T | null> => {
    looks.read += 1;
    const begun = generation;
    const one = await read(tokenHash);
    if (!one) return null;
    const end = endOf(one);
    if (end !== null && end <= at) return null;
    if (begun !== generation || !events.isConnected) return one;
    if (remembered.size >= mostRemembered) forgetFirst(remembered);
    remembered.set(tokenHash, { one, until: at.getTime() + rememberedMs });
    return one;
  };

  const findChecked = async (one: T, at: Date): Promise<T | null> => {
    if (await check(one)) return one;
    remembered.delete(one.tokenHash);
    return look(one.tokenHash, at);
  };

  return {
    looks,
    find: (token, at = clock.now()) => {
      looks.asked += 1;
      const tokenHash = hashToken(token);
      const known = remembered.get(tokenHash);
      if (!known || !events.isConnected) return look(tokenHash, at);
      const end = endOf(known.one);
      if (known.until <= at.getTime() || (end !== null && end <= at)) {
        remembered.delete(tokenHash);
        return look(tokenHash, at);
      }
      return isShared ? findChecked(known.one, at) : known.one;
    },
    stop: () => {
      ignoreEvents();
      ignoreSettings();
    },
  };
};

/** What is remembered of a session or a token; `version` is another one after each change. */
export type Versioned = { tokenHash: string; version: string };

/** Whether one is still as it was found, by a query each time. Rejects when the database is away. */
type CredentialCheck<T extends Versioned> = (one: T) => Promise<boolean>;

/** The hashes of those that are not as they were found. */
type FindChanged<T extends Versioned> = (seen: T[]) => Promise<ReadonlySet<string>>;

type Batch<T> = { seen: Map<string, T>; callers: number; changed: Promise<ReadonlySet<string>> };

/**
 * Checks in one query all sessions that were asked for since the previous query was sent. No request joins a query
 * under way, because it may have been answered before a change that the request must see: they share the next one,
 * which is sent when the response arrives. After a query that many shared the next one waits a moment longer, so that
 * more share it: a request's part of a query is then a fraction of a lookup.
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

// Up to 16 simultaneous requests are answered soonest without a pause; above that, fewer queries matter more.
const few = 16;
const pauseMs = 1;

/** A session, and its user as an actor. */
export type FoundSession = StoredSession & { actor: SignedIn };

/** Finds the session behind a cookie's token. */
export type SessionSource = CredentialSource<FoundSession> & {
  /** Moves the session's end, at most once a minute. True when the browser's cookie should be renewed too. */
  touch(session: FoundSession, at?: Date): boolean;
};

// A day of thirty: the cookie is sent again once that much of the time without use has passed.
const renewedParts = 30;

/** Reads sessions from the database and remembers them, as {@link createCredentialSource} does. */
export const createSessionSource = (services: Services): SessionSource => {
  const { lookups, clock, settings } = services;
  const source = createCredentialSource<FoundSession>(services, {
    read: async (tokenHash) => {
      const session = await findSession(lookups, tokenHash);
      return session && { ...session, actor: actorOf(session, services) };
    },
    endOf: ({ actor }) => actor.endsAt,
    ownerOf: ({ user }) => user.id,
    isToken: () => false,
    check: createSessionCheck(lookups),
  });
  const note = createTouching(services);
  return {
    ...source,
    touch: (session, now = clock.now()) => {
      if (now.getTime() - session.lastUsedAt.getTime() < limits.sessionTouchMs) return false;
      const times = sessionTimes(session.user.role, settings.current.accounts);
      const renewed = endAfterUse(session.createdAt, now, times);
      const isCookieOld = renewed.getTime() - session.expiresAt.getTime() >= times.idleMs / renewedParts;
      const expiresAt = isCookieOld ? renewed : session.expiresAt;
      // A session that is not extended now is extended by the next request.
      if (!note({ tokenHash: session.tokenHash, lastUsedAt: now, expiresAt })) return false;
      session.lastUsedAt = now;
      session.expiresAt = expiresAt;
      session.actor = { ...session.actor, endsAt: sessionEnd(session, times) };
      return isCookieOld;
    },
  };
};

/** The user of a session as an actor. */
const actorOf = (session: StoredSession, services: Pick<Services, "settings" | "providers">): SignedIn => {
  const { user, tokenHash, confirmedAt, factorAt: provenAt, factor, factors: ways } = session;
  const endsAt = sessionEnd(session, sessionTimes(user.role, services.settings.current.accounts));
  const times = { begunAt: session.createdAt, endsAt, provenAt: confirmedAt };
  const actor = { kind: "user", user, sessionHash: tokenHash, ...times } as const;
  if (factor.secondFactorAt !== null) return { ...actor, secondFactor: { ways, provenAt } };
  const provider = providerOfFactor(factor, services);
  if (provider !== undefined) return { ...actor, secondFactor: { ways, provider, provenAt } };
  const requiredBy = factorRequiredBy(factor, services);
  if (requiredBy === null) return actor;
  const factorElsewhere = providerOfFactor({ ...factor, givenAt: session.factorsElsewhere }, services);
  return {
    ...actor,
    factorRequiredBy: requiredBy,
    ...(factorElsewhere !== undefined && { factorElsewhere }),
  };
};

/**
 * Records the use of sessions without delaying the request. Those that come while a statement is under way are sent
 * together in the next one: a slow database gets one statement at a time, and what waits is a few bytes per session.
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

/** Asks the database whether sessions still are as they were found. */
export const createSessionCheck = (lookups: Database): CredentialCheck<StoredSession> =>
  createCredentialCheck((seen) => findChanged(lookups, seen));

/** A call that came with an API token, as far as the token is concerned. */
type TokenCall = { token: string; ip: string; requestId: string };

/** An accepted token, or why it is refused. */
export type TokenVerdict = { token: StoredToken } | { fault: TokenFault; refusal: AppError };

/** Judges API tokens. */
export type TokenSource = {
  /** Rejects only when the database is away. */
  judge(call: TokenCall): TokenVerdict | Promise<TokenVerdict>;
  /** Notes that a token is used, at most once a minute. */
  touch(token: StoredToken, ip: string): void;
  stop(): void;
};

const faultTexts: Record<TokenFault, string> = {
  malformed: "its checksum is wrong",
  unknown: "it does not exist",
  revoked: "it was revoked",
  expired: "it has expired",
  owner: "its owner is not an enabled admin",
  enrolment: "its owner has to set up a second factor",
  network: "it is not allowed from this network",
};

/** What a log says of a fault, and of which token where that is known. */
export const faultText = (fault: TokenFault): string => faultTexts[fault];

/**
 * Looks up tokens and caches them like sessions. Wrong ones are counted by network: above the limit further wrong ones
 * have to wait, while valid ones from there keep working, so that a broken script locks out no one else at its address.
 */
export const createTokenSource = (services: Services): TokenSource => {
  const { db, lookups, clock, log, attempts } = services;
  const source = createCredentialSource<StoredToken>(services, {
    read: (tokenHash) => findToken(lookups, tokenHash),
    // The logs distinguish an expired token from one that never existed.
    endOf: () => null,
    ownerOf: ({ row }) => row.createdBy,
    isToken: ({ row }, id) => row.id === id,
    check: createCredentialCheck((seen) => findChangedTokens(lookups, seen)),
  });

  const refuse = async (
    { ip, requestId }: TokenCall,
    fault: TokenFault,
    found: StoredToken | null,
  ): Promise<TokenVerdict> => {
    const say = (): void => {
      const known = found === null ? {} : { id: found.row.id, name: found.row.name };
      log.warn("an API token was refused", { requestId, ip, reason: faultTexts[fault], ...known });
    };
    const refusal = refusalFor(fault);
    // Neither of them is a guess.
    if (fault !== "malformed" && fault !== "enrolment") {
      try {
        await attempts.spend(
          placeBudgets(ip, {
            key: "api-token:",
            most: tokenLimits.failuresByNetwork,
            windowMs: tokenLimits.failureWindowMs,
            message: (waitS) => `${tokenTexts.guessedTooOften}. ${tryAgainIn(waitS)}`,
          }),
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Guesses beyond the limit are logged only as requests; a known token that is refused is still named.
        if (found !== null) say();
        return { fault, refusal: error };
      }
    }
    say();
    return { fault, refusal };
  };

  const isResting = ({ ownersFactor }: StoredToken): boolean =>
    ownersFactor !== null && isFactorOverdue(ownersFactor, services);

  const weigh = (call: TokenCall, found: StoredToken | null): TokenVerdict | Promise<TokenVerdict> => {
    if (found === null) return refuse(call, "unknown", null);
    const fault = faultOf(found, call.ip, clock.now()) ?? (isResting(found) ? "enrolment" : null);
    return fault === null ? { token: found } : refuse(call, fault, found);
  };

  return {
    judge: (call) => {
      if (!isApiToken(call.token)) return refuse(call, "malformed", null);
      const found = source.find(call.token);
      return found instanceof Promise ? found.then((one) => weigh(call, one)) : weigh(call, found);
    },
    touch: ({ row }, ip) => {
      const now = clock.now();
      if (row.lastUsedAt !== null && now.getTime() - row.lastUsedAt.getTime() < tokenLimits.touchMs) return;
      row.lastUsedAt = now;
      // The request does not wait: what is not recorded now is recorded at the next use.
      touchToken(db, row.id, now, ip).catch((error) =>
        log.warn("the use of an API token could not be recorded", { error: describeError(error) }),
      );
    },
    stop: source.stop,
  };
};

const refusalFor = (fault: TokenFault): AppError => {
  if (fault === "enrolment") return new AppError("ENROLMENT_REQUIRED", tokenTexts.ownerOverdue);
  return new AppError("NOT_SIGNED_IN", fault === "malformed" ? tokenTexts.malformed : tokenTexts.refused);
};

/** Why a token cannot be used from an address; `null` if it can. */
const faultOf = ({ row, isOwnerActive }: StoredToken, ip: string, now: Date): TokenFault | null => {
  if (row.revokedAt !== null) return "revoked";
  if (row.expiresAt !== null && row.expiresAt <= now) return "expired";
  if (!isOwnerActive) return "owner";
  if (row.allowedNetworks.length === 0) return null;
  return row.allowedNetworks.some((network) => isWithin(ip, network)) ? null : "network";
};
