import { requireAdmin } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Actor, Context, Services } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { isFactorOverdue } from "#api/core/password-policy.ts";
import { shareRuns } from "#api/core/timing.ts";
import { findAdminSessions, sessionEnd, sessionTimes } from "#api/modules/sessions/index.ts";
import { findLiveTokens } from "#api/modules/tokens/index.ts";
import { activityTexts } from "#contract/activity.ts";
import { type ActivityStream, createActivityFeed, createActivityStream } from "./activity-stream.ts";
import type { Activity } from "./contract.ts";
import { type ActivityFilterQuery, matches, readFilter } from "./filter.ts";
import { readLog } from "./selection-store.ts";
import { selectActivitiesAfter } from "./store.ts";

/** Which activities a listener wants; `after` is the last one it has, or `null`. */
type Listening = { actor: Actor; after: number | null; matches: (activity: Activity) => boolean };

/** The live streams of a process. */
export type ActivityStreams = {
  /**
   * Opens a stream, which ends with its session or API token. Throws `BUSY` when too many are open, `SHUTTING_DOWN`,
   * and `NOT_SIGNED_IN` if the session has just ended.
   */
  open(listening: Listening): Promise<AsyncIterableIterator<string>>;
  /** Ends all streams and opens no more, before the server stops. */
  drain(): void;
  stop(): void;
};

/** The maximum number of streams, and how often each shows that it is alive. */
type StreamBounds = { mostStreams?: number; mostOfAUser?: number; beatMs?: number };

/** One listener. A session check that began no later than the one numbered `heldIn` doesn't release it. */
type Seat = {
  stream: ActivityStream | null;
  userId: string;
  /** What the stream depends on: a session's hash or a token's id; `null` for the operator. */
  ticket: { kind: "session" | "token"; key: string } | null;
  heldIn: number;
};

type StreamServices = Pick<
  Services,
  "db" | "lookups" | "clock" | "events" | "log" | "settings" | "providers"
>;

/**
 * Creates the live streams. Before a row is sent, and whenever a user changes, the database is asked whether the
 * listener's session or token still belongs to an admin.
 */
export const createActivityStreams = (
  services: StreamServices,
  // Below the fifteen seconds after which the server closes an idle connection.
  { mostStreams = 100, mostOfAUser = 10, beatMs = 8_000 }: StreamBounds = {},
): ActivityStreams => {
  const { db, lookups, clock, events, log, settings, providers } = services;
  const judges = { lookups, clock, settings, providers };
  const seats = new Set<Seat>();
  let looks = 0;
  let isDraining = false;
  let beat: ReturnType<typeof setInterval> | undefined;

  /**
   * Ends the streams of sessions that no longer belong to an admin, and releases those held before it began. At most
   * one check runs and one waits, since any user of the database can announce changes.
   */
  const lookAtSessions = shareRuns(async () => {
    looks += 1;
    const thisLook = looks;
    const watched = [...seats].filter(({ ticket }) => ticket !== null);
    if (watched.length === 0) return;
    const keysOf = (kind: "session" | "token"): string[] => [
      ...new Set(watched.flatMap(({ ticket }) => (ticket?.kind === kind ? [ticket.key] : []))),
    ];
    const [hashes, ids] = [keysOf("session"), keysOf("token")];
    const [sessions, tokens] = await Promise.all([
      hashes.length === 0 ? none : liveAdminSessions(judges, hashes),
      ids.length === 0 ? none : liveTokens(judges, ids),
    ]);
    for (const seat of watched) {
      const live = seat.ticket?.kind === "token" ? tokens : sessions;
      if (!live.has(seat.ticket?.key ?? "")) close(seat);
      else if (seat.heldIn < thisLook) seat.stream?.release();
    }
  });

  const close = (seat: Seat): void => {
    seats.delete(seat);
    seat.stream?.end();
    if (seats.size > 0) return;
    clearInterval(beat);
    beat = undefined;
  };

  const feed = createActivityFeed({
    events,
    log,
    source: {
      readHead: async () => (await readLog(db)).headId,
      readAfter: (after, limit) => selectActivitiesAfter(db, after, limit),
    },
    beforeTelling: lookAtSessions,
  });

  /** Never rejects; logs a failure once for all callers. */
  const lookAgain = shareRuns(() =>
    lookAtSessions().catch((error) =>
      log.warn("the sessions of live streams could not be looked at", { error: describeError(error) }),
    ),
  );

  const doubt = (isMeant: (seat: Seat) => boolean): void => {
    const doubted = [...seats].filter((seat) => seat.ticket !== null && isMeant(seat));
    for (const seat of doubted) {
      seat.heldIn = looks;
      seat.stream?.hold();
    }
    if (doubted.length > 0) void lookAgain();
  };

  const doubtUser = ({ userId }: { userId: string }): void => doubt((seat) => seat.userId === userId);
  const unsubscribe = events.subscribe(
    {
      "sessions-ended": doubtUser,
      "user-changed": doubtUser,
      // The allowed addresses of the token may have changed: an allowed client reconnects and resumes.
      "token-changed": ({ tokenId }) => {
        for (const seat of [...seats]) if (seat.ticket?.key === tokenId) close(seat);
      },
    },
    () => doubt(() => true),
  );

  const onBeat = (): void => {
    // A session may have expired without an announcement, or a message may have been lost.
    void lookAgain();
    feed.look();
    for (const { stream } of seats) stream?.beat();
  };

  const takeSeat = (actor: Actor): Seat => {
    if (isDraining) throw new AppError("SHUTTING_DOWN", undefined, { retryAfterS: 5 });
    const { userId, ticket } = holderOf(actor);
    const ofUser = [...seats].filter((seat) => seat.userId === userId).length;
    if (seats.size >= mostStreams || ofUser >= mostOfAUser)
      throw new AppError("BUSY", activityTexts.tooManyStreams, { retryAfterS: 30 });
    const seat: Seat = { stream: null, userId, ticket, heldIn: looks };
    seats.add(seat);
    beat ??= setInterval(onBeat, beatMs);
    return seat;
  };

  const begin = async (seat: Seat, { after, matches }: Listening): Promise<ActivityStream> => {
    const { leave, head } = await feed.join(() => seat.stream?.wake());
    const onEnd = () => {
      leave();
      close(seat);
    };
    const stream = createActivityStream({ feed, matches, head, after, onEnd });
    seat.stream = stream;
    if (seat.ticket === null) stream.release();
    else await lookAtSessions();
    if (isDraining) throw new AppError("SHUTTING_DOWN", undefined, { retryAfterS: 5 });
    if (!seats.has(seat)) throw new AppError("NOT_SIGNED_IN");
    return stream;
  };

  return {
    open: async (listening) => {
      const seat = takeSeat(listening.actor);
      try {
        return (await begin(seat, listening)).pieces;
      } catch (error) {
        close(seat);
        throw error;
      }
    },
    drain: () => {
      isDraining = true;
      for (const seat of [...seats]) close(seat);
    },
    stop: () => {
      for (const seat of [...seats]) close(seat);
      unsubscribe();
      feed.stop();
    },
  };
};

const none: ReadonlySet<string> = new Set();

type Judges = Pick<StreamServices, "lookups" | "clock" | "settings" | "providers">;

/** Those of these sessions, given and answered by hash, that have not ended and are an admin's. */
const liveAdminSessions = async (judges: Judges, hashes: string[]): Promise<ReadonlySet<string>> => {
  const found = await findAdminSessions(judges.lookups, hashes);
  const times = sessionTimes("admin", judges.settings.current.accounts);
  const now = judges.clock.now();
  const live = found.filter(
    ({ session, factor }) => sessionEnd(session, times) > now && !isFactorOverdue(factor, judges),
  );
  return new Set(live.map(({ session }) => session.tokenHash));
};

/** Those of these tokens, by id, that can be used. */
const liveTokens = async (judges: Judges, ids: string[]): Promise<ReadonlySet<string>> => {
  const found = await findLiveTokens(judges.lookups, ids, judges.clock.now());
  const live = found.filter(
    ({ ownersFactor: factor }) => factor === null || !isFactorOverdue(factor, judges),
  );
  return new Set(live.map(({ id }) => id));
};

const holderOf = (actor: Actor): Pick<Seat, "userId" | "ticket"> => {
  if (actor.kind === "user")
    return { userId: actor.user.id, ticket: { kind: "session", key: actor.sessionHash } };
  if (actor.kind !== "token") return { userId: actor.kind, ticket: null };
  const { token, owner } = actor;
  return { userId: owner?.id ?? token.id, ticket: { kind: "token", key: token.id } };
};

/** Which activities to stream; `after` is the id of the last one that the client has, if any. */
type StreamInput = ActivityFilterQuery & { after?: number | undefined };

/**
 * New activities as server-sent events, from now or from `after` on. For admins and the operator; the stream ends with
 * the session. Throws what opening a stream throws.
 */
export const streamActivity = async (
  ctx: Context,
  { streams, after, ...query }: StreamInput & { streams: ActivityStreams },
): Promise<AsyncIterableIterator<string>> => {
  requireAdmin(ctx);
  const filter = readFilter(query);
  return streams.open({
    actor: ctx.actor,
    after: after ?? null,
    matches: (activity) => matches(filter, activity),
  });
};
