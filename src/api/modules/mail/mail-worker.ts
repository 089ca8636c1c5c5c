import type { MailTransport } from "#api/adapters/outgoing-mail.ts";
import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { createDelivery } from "./deliver-mail.ts";
import { countMails, type LeasedMail, leaseMail, sweepMails } from "./queue-store.ts";
import { createServerHealth } from "./server-health.ts";

/** What the worker works with. The transport becomes its own: it is closed with it. */
export type MailWorkerParts = {
  db: Database;
  clock: Clock;
  log: Log;
  box: SecretBox;
  transport: MailTransport;
  /** How often to look without being woken: 5 s. */
  pollMs?: number;
  /** How long one try may take: 45 s, less than the lease, so that no other worker sends the same mail meanwhile. */
  sendMs?: number;
  /** How long `stop` waits for tries under way: 10 s. */
  graceMs?: number;
};

/** Sends what is in the outbox. Any number of workers may share one outbox. */
export type MailWorker = {
  start(): void;
  /** Looks at once. Call it after rows were committed. */
  wake(): void;
  /** Takes no more mails, waits for those under way, ends the ones that hang, and closes the transport. */
  stop(): Promise<void>;
  counts(): Promise<{ waiting: number; dead: number }>;
  /** How the last try went: see {@link ServerHealth}. */
  health(): { isHealthy: boolean; lastError: string | null };
  /** Looks at once, whether or not the mail server was away a moment ago. */
  hurry(): void;
};

const leaseMs = 60_000;
// One after the other, because a crash may repeat every mail that was under way. Only next to a mail that takes long
// another one starts, so that a slow server or recipient does not hold up the rest.
const mostAtOnce = 4;
const longMs = 1_000;
const sweepEveryMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

/** Makes a worker that rests until `start`. A database or mail server that is away only makes mails wait. */
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
    round = look().finally(() => {
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
          log.warn("mails wait: the outbox cannot be read", { error: describeError(error) });
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

/** Whether `work` was done within `ms`; it goes on by itself if not. */
const within = async (ms: number, work: Promise<void>): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isDone;
};
