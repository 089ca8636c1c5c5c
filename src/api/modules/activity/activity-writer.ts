import type { ActivityFact, ActivityRecorder, ActivitySource } from "#api/core/activity.ts";
import { networkOf } from "#api/core/circumstances.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/timing.ts";
import { coreName } from "#contract/activity.ts";
import { appendBatch, firstInInbox, insertIntoInbox, type KnownHead } from "./chain-store.ts";
import { type ActivityDraft, draftOf, sealFact } from "./draft.ts";

/** What the writer works with. */
type ActivityWriterParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  events: EventBus;
  /**
   * The maximum number of rows per transaction: with 4,000, updating the search index costs less per row than with few.
   * The embedded database serves no one else meanwhile.
   */
  batchRows?: number;
};

/** Appends recorded facts to the log. Each process has one; they take turns. */
export type ActivityWriter = {
  recorder: ActivityRecorder;
  /** From now on it writes automatically, including what other processes left behind. */
  start(): void;
  /** Writes everything that was recorded; gives up after ten seconds. */
  stop(): Promise<void>;
};

const noteMs = 250;
const pollMs = 5_000;
const retryMs = 1_000;
const stopMs = 10_000;
const settleMs = 2_000;
const mostBatchesOfASettle = 20;

/** Creates a writer that rests until `start`; `settle` and `stop` work before that, too. */
export const createActivityWriter = (parts: ActivityWriterParts): ActivityWriter => {
  const { db, clock, log, box, events, batchRows = 4_000 } = parts;
  const buffer = createNoteBuffer();
  const kinds = new Map<string, number>();
  let known: KnownHead | null = null;
  let isRunning = false;
  let isAway = false;
  let turn: Promise<unknown> = Promise.resolve();
  let soon: ReturnType<typeof setTimeout> | null = null;
  let poll: ReturnType<typeof setInterval> | undefined;

  /** Appends one batch; resolves to whether more may be waiting. */
  const append = async (): Promise<boolean> => {
    const notes = buffer.take(batchRows, clock.now());
    if (notes.length === 0 && (await firstInInbox(db)) === null) return false;
    try {
      const mostFromInbox = Math.max(1, batchRows - notes.length);
      const batch = await db.transaction((tx) =>
        appendBatch(tx, { notes, mostFromInbox, now: clock.now(), box, kinds, known }),
      );
      if (batch.rows > 0) known = batch.head;
      if (batch.fault !== null) log.error("the activity log was altered", { fault: batch.fault });
      for (const [key, id] of batch.newKinds) kinds.set(key, id);
      if (batch.rows > 0) events.publish({ type: "activity-recorded", through: batch.head.id });
      return batch.fromInbox === mostFromInbox || notes.length === batchRows;
    } catch (error) {
      buffer.putBack(notes);
      throw error;
    }
  };

  /** Appends everything that was waiting at the start. Batches of one process never overlap. */
  const round = (mostBatches: number): Promise<void> => {
    const next = turn.then(async () => {
      for (let batches = 0; batches < mostBatches; batches += 1) if (!(await append())) return;
    });
    turn = next.catch(() => {});
    return next;
  };

  const work = (): void => {
    round(Number.POSITIVE_INFINITY).then(
      () => {
        isAway = false;
      },
      (error) => {
        // The facts stay where they are until the next attempt; each failure is logged once.
        if (!isAway) log.warn("activities are waiting to be recorded", { error: describeError(error) });
        isAway = true;
        schedule(retryMs);
      },
    );
  };

  const schedule = (ms: number): void => {
    if (!isRunning) return;
    soon ??= setTimeout(() => {
      soon = null;
      work();
    }, ms);
  };

  return {
    recorder: {
      record: (tx, fact) => insertIntoInbox(tx, sealFact(box, JSON.stringify(draftOf(fact)))),
      note: (fact) => {
        buffer.add(fact);
        if (buffer.hasReady) schedule(noteMs);
      },
      wake: () => schedule(0),
      settle: async () => {
        try {
          await within(settleMs, round(mostBatchesOfASettle));
        } catch (error) {
          // The log can still be read; `work` keeps trying.
          log.warn("activities could not be recorded yet", { error: describeError(error) });
        }
      },
    },
    start: () => {
      isRunning = true;
      // Repeats of a past minute, and what a dead process had committed.
      poll = setInterval(work, pollMs);
      work();
    },
    stop: async () => {
      isRunning = false;
      clearInterval(poll);
      if (soon !== null) clearTimeout(soon);
      buffer.closeAll();
      try {
        await within(stopMs, round(Number.POSITIVE_INFINITY));
      } catch (error) {
        log.error("activities were lost at the end", { error: describeError(error) });
      }
    },
  };
};

/** Facts that wait for the next batch. */
type NoteBuffer = {
  /** Adds a fact. Always takes a few microseconds; its text is cleaned when it is taken out. */
  add(fact: ActivityFact): void;
  /** The next drafts, oldest first: first occurrences immediately, repeats when their minute is over by `now`. */
  take(most: number, now: Date): ActivityDraft[];
  /** Puts back drafts that could not be written, in front. */
  putBack(drafts: ActivityDraft[]): void;
  /** Ends all running minutes, before the program exits. */
  closeAll(): void;
  /** Whether a first occurrence waits. */
  readonly hasReady: boolean;
};

/** Repeats within a minute; `repeats` doesn't count the first, which was passed on immediately. */
type Group = { endsAtMs: number; repeats: number; last: ActivityFact; sizes: readonly string[] };
type Ready = { fact: ActivityFact; occurrences: number };
/** What facts have in common: kind and action, from one network, by one user from one IP address. */
type Names = { crowd: string; place: string; person: string };
type Shared = { key: string; fact: ActivityFact };

const windowMs = 60_000;
// Limits per kind of failure and minute: an attack from thousands of IP addresses gets this many rows and one for the
// rest, and one network only so many that it doesn't crowd out the others.
const mostGroupsOfACrowd = 60;
const mostGroupsOfAPlace = 10;
// Limit per user, so that one who fails at many things doesn't use all rows of their network.
const mostGroupsOfAPerson = 5;
const mostGroups = 5_000;
const mostReady = 20_000;

/**
 * A buffer that repeats and floods can't fill. Facts are equal if kind, action, description, user and IP address are.
 * If it is full anyway because the database is away, it counts the lost ones and says so in the log.
 */
export const createNoteBuffer = (): NoteBuffer => {
  const groups = new Map<string, Group>();
  // Number of groups per kind of failure, and how many of them are of one network and one user.
  const sizes = new Map<string, number>();
  const ready: Ready[] = [];
  let returned: ActivityDraft[] = [];
  let lost = 0;

  const push = (fact: ActivityFact, occurrences: number): void => {
    if (ready.length >= mostReady) lost += occurrences;
    else ready.push({ fact, occurrences });
  };

  const resize = (names: readonly string[], by: 1 | -1): void => {
    for (const name of names) {
      const size = (sizes.get(name) ?? 0) + by;
      if (size > 0) sizes.set(name, size);
      else sizes.delete(name);
    }
  };

  const close = (key: string, group: Group): void => {
    groups.delete(key);
    resize(group.sizes, -1);
    if (group.repeats > 0) push(group.last, group.repeats);
  };

  const open = (key: string, group: Group): void => {
    groups.set(key, group);
    resize(group.sizes, 1);
  };

  /** Counts the fact with equal ones; `false` if its minute has not begun. */
  const isRepeat = (key: string, fact: ActivityFact): boolean => {
    const group = groups.get(key);
    if (group === undefined) return false;
    if (fact.at.getTime() >= group.endsAtMs) {
      close(key, group);
      return false;
    }
    group.repeats += 1;
    group.last = fact;
    return true;
  };

  /** Counts the fact with all others of its user, network or kind that have no row of their own. */
  const join = (key: string, fact: ActivityFact): void => {
    if (isRepeat(key, fact)) return;
    open(key, { endsAtMs: fact.at.getTime() + windowMs, repeats: 1, last: fact, sizes: [] });
  };

  /** The row that a failure shares, and on which level; `null` while it can have its own. */
  const sharedOf = (fact: ActivityFact, { crowd, place, person }: Names): Shared | null => {
    const isPlaceFull = (sizes.get(place) ?? 0) >= mostGroupsOfAPlace;
    const isCrowdFull = (sizes.get(crowd) ?? 0) >= mostGroupsOfACrowd;
    const ofPerson = sizes.get(person) ?? 0;
    // Those that already have rows keep their name in the shared row.
    if (ofPerson >= mostGroupsOfAPerson || (ofPerson > 0 && (isPlaceFull || isCrowdFull)))
      return { key: person, fact: ofOnePerson(fact) };
    if (isPlaceFull) return { key: place, fact: fromOnePlace(fact) };
    return isCrowdFull ? { key: crowd, fact: fromManyPlaces(fact) } : null;
  };

  const add = (fact: ActivityFact): void => {
    const names = namesOf(fact);
    const key = `${names.person}\n=${fact.entry.description ?? ""}`;
    if (isRepeat(key, fact)) return;
    const group = { endsAtMs: fact.at.getTime() + windowMs, repeats: 0, last: fact };
    if (isTrouble(fact)) {
      const shared = sharedOf(fact, names);
      if (shared !== null) {
        join(shared.key, shared.fact);
        return;
      }
      open(key, { ...group, sizes: [names.crowd, names.place, names.person] });
    } else if (groups.size < mostGroups) open(key, { ...group, sizes: [] });
    push(fact, 1);
  };

  const closeEnded = (nowMs: number): void => {
    // In the order in which they began, so the first one that is still running ends the search.
    for (const [key, group] of groups) {
      if (group.endsAtMs > nowMs) return;
      close(key, group);
    }
  };

  return {
    add,
    take: (most, now) => {
      closeEnded(now.getTime());
      const drafts = returned.splice(0, most);
      for (const { fact, occurrences } of ready.splice(0, most - drafts.length))
        drafts.push(draftOf(fact, occurrences));
      if (lost > 0 && ready.length === 0) {
        drafts.push(draftOf(lossOf(lost, now)));
        lost = 0;
      }
      return drafts;
    },
    putBack: (drafts) => {
      returned = [...drafts, ...returned];
    },
    closeAll: () => {
      for (const [key, group] of groups) close(key, group);
    },
    get hasReady() {
      return ready.length > 0 || returned.length > 0 || lost > 0;
    },
  };
};

const crowdOf = ({ entry, source }: ActivityFact): string =>
  `${entry.type}\n${entry.status}\n${entry.severity}\n${entry.pluginName ?? coreName}\n${source.actor.kind}\n${entry.action}`;

const namesOf = (fact: ActivityFact): Names => {
  const crowd = crowdOf(fact);
  const { ip } = fact.source;
  return {
    crowd,
    place: `${crowd}\n@${networkOf(ip ?? "")}`,
    person: `${crowd}\n${doerOf(fact)}\n${ip}`,
  };
};

const doerOf = ({ entry, source }: ActivityFact): string => {
  if ("token" in source.actor) return source.actor.token.id;
  return "user" in source.actor ? source.actor.user.id : (entry.userEmail ?? "");
};

const isTrouble = ({ entry }: ActivityFact): boolean =>
  entry.status === "failure" || entry.status === "warning";

const ofOnePerson = ({ entry, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...entry, description: "More of the same by this user" },
  source,
  at,
});

const fromOnePlace = ({ entry, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...withoutEmail(entry), description: "More of the same for other users, from this IP address" },
  source: { ...withoutOrigin(source), ip: source.ip },
  at,
});

const fromManyPlaces = ({ entry, source, at }: ActivityFact): ActivityFact => ({
  entry: { ...withoutEmail(entry), description: "More of the same for many users or IP addresses" },
  source: withoutOrigin(source),
  at,
});

const withoutEmail = ({ userEmail: _, ...entry }: ActivityFact["entry"]): ActivityFact["entry"] => entry;

const withoutOrigin = ({ actor }: ActivitySource): ActivitySource => ({
  actor: { kind: actor.kind },
  requestId: null,
  ip: null,
  userAgent: null,
});

const lossOf = (lost: number, at: Date): ActivityFact => ({
  entry: {
    type: "health_check_failed",
    action: "Lost activities",
    description: `${lost} activities could not be recorded because there were too many`,
    status: "failure",
    severity: "high",
  },
  source: { actor: { kind: "system" }, requestId: null, ip: null, userAgent: null },
  at,
});
