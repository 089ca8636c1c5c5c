import type { ActivityDesk } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/timing.ts";
import { appendBatch, firstInInbox, insertIntoInbox } from "./chain-store.ts";
import { draftOf } from "./draft.ts";
import type { KnownHead } from "./held-chain-store.ts";
import { createNoteBuffer } from "./note-buffer.ts";

/** What the writer works with. */
export type ActivityWriterParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  events: EventBus;
  /**
   * How many rows a transaction appends at most: 4,000, which the search index takes in for less a row than a few. The
   * embedded database serves nobody else meanwhile.
   */
  batchRows?: number;
};

/** Gives what was recorded its place in the log. Each process has one; they take turns. */
export type ActivityWriter = {
  desk: ActivityDesk;
  /** From now on it writes by itself, and also what other processes left behind. */
  start(): void;
  /** Writes everything that was left with it; gives up after ten seconds. */
  stop(): Promise<void>;
};

const noteMs = 250;
const pollMs = 5_000;
const retryMs = 1_000;
const stopMs = 10_000;
const settleMs = 2_000;
const mostBatchesOfASettle = 20;

/** Makes a writer that rests until `start`; `settle` and `stop` make it work all the same. */
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

  /** Appends one batch; resolves to whether more may wait. */
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

  /** Appends until nothing waits that was there at the beginning. Batches of one process never overlap. */
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
        // What waits stays where it is, and the next try takes it; the log gets one line for each time.
        if (!isAway) log.warn("activities wait to be recorded", { error: describeError(error) });
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
    desk: {
      record: (tx, fact) => insertIntoInbox(tx, { draft: draftOf(fact), box }),
      note: (fact) => {
        buffer.add(fact);
        if (buffer.hasReady) schedule(noteMs);
      },
      wake: () => schedule(0),
      settle: async () => {
        try {
          await within(settleMs, round(mostBatchesOfASettle));
        } catch (error) {
          // The log can be read all the same; `work` goes on trying.
          log.warn("activities could not be recorded yet", { error: describeError(error) });
        }
      },
    },
    start: () => {
      isRunning = true;
      // Repeats of a minute that is over, and what a process that has died had committed.
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
