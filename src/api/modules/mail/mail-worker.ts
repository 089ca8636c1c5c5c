import type { MailTransport, OutgoingMail, SendOutcome } from "#api/adapters/eml-transport.ts";
import type { Clock } from "#api/core/clock.ts";
import type { SecretBox } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { nextTurn } from "#api/core/timing.ts";
import { openMail } from "./mail-queue.ts";
import {
  buryMail,
  countMails,
  type LeasedMail,
  leaseMail,
  markSent,
  postponeMail,
  releaseMail,
  sweepMails,
} from "./store.ts";

/** What the worker works with. The transport becomes its own: it is closed with it. */
type MailWorkerParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  transport: MailTransport;
  /** How often to look without being woken: 5 s. */
  pollMs?: number;
  /** How long one try may take: 45 s, less than the lease, so that no other worker sends the same email meanwhile. */
  sendMs?: number;
  /** How long `stop` waits for tries under way: 10 s. */
  graceMs?: number;
};

/** Sends what is in the outbox. Any number of workers may share one outbox. */
export type MailWorker = {
  start(): void;
  /** Looks at once. Call it after rows were committed. */
  wake(): void;
  /** Takes no more emails, waits for those under way, ends the ones that hang, and closes the transport. */
  stop(): Promise<void>;
  counts(): Promise<{ waiting: number; dead: number }>;
  /** How the last try went: see {@link ServerHealth}. */
  health(): { isHealthy: boolean; lastError: string | null };
  /** Looks at once, whether or not the mail server was away a moment ago. */
  hurry(): void;
};

const leaseMs = 60_000;
// One after the other, because a crash may repeat every email that was under way. Only next to an email that takes long
// another one starts, so that a slow server or recipient does not hold up the rest.
const mostAtOnce = 4;
const longMs = 1_000;
const sweepEveryMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

/** Makes a worker that rests until `start`. A database or mail server that is away only makes emails wait. */
export const createMailWorker = (parts: MailWorkerParts): MailWorker => {
  const { db, clock, log, transport, pollMs = 5_000, graceMs = 10_000 } = parts;
  const health = createServerHealth();
  const stopping = new AbortController();
  const deliver = createDelivery({ ...parts, health, stopping: stopping.signal });
  const underWay = new Set<Promise<void>>();
  let isRunning = false;
  let isWanted = false;
  let round: Promise<void> | null = null;
  let poll: ReturnType<typeof setInterval> | undefined;
  let isDatabaseAway = false;
  let sweptAtMs = 0;
  let startedAtMs = 0;

  const wake = () => {
    isWanted = true;
    if (!isRunning || round) return;
    // Whoever woke it does not wait for the database.
    round = nextTurn()
      .then(look)
      .finally(() => {
        round = null;
        if (isWanted) wake();
      });
  };

  const look = async (): Promise<void> => {
    while (isWanted && isRunning) {
      isWanted = false;
      try {
        await sweep();
        const mail = await lease();
        if (mail) send(mail);
        isDatabaseAway = false;
      } catch (error) {
        // The next poll tries again; the log gets one line for each time that the database goes away.
        if (!isDatabaseAway)
          log.warn("emails are waiting: the outbox cannot be read", { error: describeError(error) });
        isDatabaseAway = true;
      }
    }
  };

  const lease = async (): Promise<LeasedMail | null> => {
    const now = clock.now();
    if (underWay.size >= health.allowance(now, mostAtOnce)) return null;
    if (underWay.size > 0 && now.getTime() - startedAtMs < longMs) return null;
    const mail = await leaseMail(db, now, new Date(now.getTime() + leaseMs));
    if (mail) startedAtMs = now.getTime();
    return mail;
  };

  const send = (mail: LeasedMail) => {
    const turnOfNext = setTimeout(wake, longMs);
    const attempt = deliver(mail).finally(() => {
      clearTimeout(turnOfNext);
      underWay.delete(attempt);
      wake();
    });
    underWay.add(attempt);
  };

  const sweep = async (): Promise<void> => {
    const nowMs = clock.now().getTime();
    if (nowMs - sweptAtMs < sweepEveryMs) return;
    await sweepMails(db, new Date(nowMs - keptMs));
    sweptAtMs = nowMs;
  };

  const quiet = async (): Promise<void> => {
    await round;
    await Promise.all(underWay);
  };

  return {
    start: () => {
      isRunning = true;
      poll = setInterval(wake, pollMs);
      wake();
    },
    wake,
    stop: async () => {
      isRunning = false;
      clearInterval(poll);
      if (!(await within(graceMs, quiet()))) {
        stopping.abort();
        await within(1_000, quiet());
      }
      await transport.close();
    },
    counts: () => countMails(db),
    health: () => ({ isHealthy: health.lastError === null, lastError: health.lastError }),
    hurry: () => {
      health.hurry();
      wake();
    },
  };
};

/** Whether `work` was done within `ms`; it continues by itself if not. */
const within = async (ms: number, work: Promise<void>): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
};

/** What one delivery works with; `stopping` ends a try and hands its email back. */
type DeliveryParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  transport: MailTransport;
  health: ServerHealth;
  stopping: AbortSignal;
  sendMs?: number;
};

// A note that the database did not take is tried for as long as the lease keeps other workers away.
const noteTries = 30;
const noteEveryMs = 1_000;

/** Makes the function that tries one leased email and notes how it went. It never rejects. */
const createDelivery = (parts: DeliveryParts) => {
  const { db, clock, log, box, transport, health, stopping, sendMs = 45_000 } = parts;

  const deliver = async (row: LeasedMail): Promise<void> => {
    const mail = open(row);
    if (!mail) return note(() => buryMail(db, row, "the stored text cannot be decrypted"));
    const outcome = await attempt(mail);
    if (outcome.kind !== "sent" && stopping.aborted) return note(() => releaseMail(db, row));
    await noteOutcome(row, outcome);
  };

  const open = (row: LeasedMail): OutgoingMail | null => {
    try {
      return {
        ...openMail(box, row.id, row.content ?? new Uint8Array(0)),
        id: row.id,
        createdAt: row.createdAt,
      };
    } catch (error) {
      log.error("a stored email cannot be decrypted", { mail: row.id, error });
      return null;
    }
  };

  const attempt = async (mail: OutgoingMail): Promise<SendOutcome> => {
    try {
      return await transport.send(mail, AbortSignal.any([stopping, AbortSignal.timeout(sendMs)]));
    } catch (error) {
      log.error("sending an email failed unexpectedly", { mail: mail.id, error });
      return { kind: "postponed", reason: "unexpected failure, see the log" };
    }
  };

  const noteOutcome = async (row: LeasedMail, outcome: SendOutcome): Promise<void> => {
    const now = clock.now();
    if (outcome.kind === "unreachable") {
      if (health.failed(now, outcome.reason))
        log.warn("emails are waiting: none can be sent", { reason: outcome.reason });
    } else if (health.answered()) log.info("emails can be sent again");
    if (outcome.kind === "sent") return note(() => markSent(db, row.id, now));
    const next = outcome.kind === "refused" ? null : nextAttempt(now, row);
    if (next) return note(() => postponeMail(db, row, outcome.reason, next));
    log.warn("an email was given up", { mail: row.id, attempts: row.attempts + 1, reason: outcome.reason });
    return note(() => buryMail(db, row, outcome.reason));
  };

  /** Losing a note costs a second email with the same Message-ID, hence the patience. */
  const note = async (write: () => Promise<void>): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write();
      } catch (error) {
        if (tries < noteTries && !stopping.aborted) await Bun.sleep(noteEveryMs);
        else
          return log.error("the outcome of an email could not be recorded", { error: describeError(error) });
      }
    }
  };

  return deliver;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const delaysMs = [10 * secondMs, minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs];

// As long as a verification link lives: later the email would be of no use.
const giveUpAfterMs = 24 * hourMs;

/**
 * When to try an email again that failed just now, having failed `attempts` times before; `null` when the next try
 * would come more than 24 hours after the email was written.
 */
export const nextAttempt = (now: Date, mail: { attempts: number; createdAt: Date }): Date | null => {
  const at = now.getTime() + (delaysMs[mail.attempts] ?? hourMs);
  return at - mail.createdAt.getTime() > giveUpAfterMs ? null : new Date(at);
};

const pausesMs = [10_000, 30_000, 60_000];

/** What the worker believes of the mail server. */
type ServerHealth = {
  /** How many emails may be tried at the same time: none during a pause, one to find out, else `most`. */
  allowance(now: Date, most: number): number;
  /** Nothing got through, for a reason. Returns whether that is news. */
  failed(now: Date, reason: string): boolean;
  /** An email got through. Returns whether that is news. */
  answered(): boolean;
  /** Ends a pause: someone wants to know at once whether the server is back. */
  hurry(): void;
  /** Why the last try got through to no one; `null` when it did, and before the first one. */
  readonly lastError: string | null;
};

/**
 * Spares a mail server that is away, and the emails: while it does, only one is tried after pauses of 10, 30 and then 60
 * seconds, and the rest are still due at once when it is back.
 */
export const createServerHealth = (): ServerHealth => {
  let failures = 0;
  let pausedUntilMs = 0;
  let lastError: string | null = null;
  return {
    get lastError() {
      return lastError;
    },
    hurry: () => {
      pausedUntilMs = 0;
    },
    allowance: (now, most) => {
      if (now.getTime() < pausedUntilMs) return 0;
      return failures > 0 ? 1 : most;
    },
    failed: (now, reason) => {
      lastError = reason;
      // Tries that were under way together fail together: that is one failure.
      if (now.getTime() < pausedUntilMs) return false;
      pausedUntilMs = now.getTime() + (pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0);
      failures += 1;
      return failures === 1;
    },
    answered: () => {
      const isNews = failures > 0;
      failures = 0;
      pausedUntilMs = 0;
      lastError = null;
      return isNews;
    },
  };
};
