import { randomBytes } from "node:crypto";
import { asc } from "drizzle-orm";
import type { MailTransport } from "#api/adapters/eml-transport.ts";
import { createSmtpTransport } from "#api/adapters/mail-transport.ts";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Mail } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import { mails } from "#api/db/schema.ts";
import {
  createMailQueue,
  createMailWorker,
  type MailWorker,
  verificationMail,
} from "#api/modules/mail/index.ts";
import { createTestClock } from "./clock.ts";
import { openTestDatabase } from "./database.ts";
import { createFixedSettings } from "./fixed-settings.ts";
import { startSmtpSink } from "./smtp-sink.ts";
import { until } from "./until.ts";

type WorkerParts = Parameters<typeof createMailWorker>[0];

/** The token in the mail to person `number`. */
export const tokenFor = (number: number): string => `t0ken-${number}-${"q7Vw2mX9Lr4TzNb8".repeat(2)}`;

/** A verification mail to person `number`. */
export const mailTo = (number: number): Mail => {
  const link = `https://app.example/verify-email?token=${tokenFor(number)}`;
  return {
    to: addressOf(number),
    link,
    ...verificationMail({ link, at: new Date(0), ip: "192.0.2.7", device: "Firefox on Linux" }),
  };
};

/** The addresses of persons 1 to `count`, sorted as text. */
export const addressesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => addressOf(index + 1)).sort();

const addressOf = (number: number): string => `person-${number}@example.test`;

/** An outbox on a database of its own, a mail server that can be made to fail, and workers that look every 20 ms. */
export const openTestOutbox = async () => {
  const database = await openTestDatabase();
  const { db } = database;
  const box = createSecretBox(randomBytes(32));
  let clock = createTestClock();
  let looks = 0;
  const watched: Clock = {
    now: () => {
      looks += 1;
      return clock.now();
    },
    uptimeMs: () => clock.uptimeMs(),
  };
  let sink = await startSmtpSink();
  let lines: string[] = [];
  let workers: MailWorker[] = [];

  const note = (message: string, fields?: unknown) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: Log = { debug: note, info: note, warn: note, error: note, flush: () => {} };
  const smtp = (silenceMs = 10_000): MailTransport =>
    createSmtpTransport({ smtpUrl: sink.url, mailFrom: "Atrium <no-reply@app.example>", silenceMs });
  const rows = () => db.select().from(mails).orderBy(asc(mails.recipient));
  const settings = createFixedSettings();
  const queue = () =>
    createMailQueue({ box, clock, wake: () => {}, settings, appUrl: "http://localhost:3000" });
  const enqueue = (mail: Mail) => db.transaction((tx) => queue().enqueue(tx, mail));
  const stopAll = async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sink.down();
  };

  return {
    db,
    smtp,
    rows,
    queue,
    enqueue,
    /** One mail to each of persons 1 to `count`. */
    enqueueAll: async (count: number) => {
      for (let number = 1; number <= count; number += 1) await enqueue(mailTo(number));
    },
    startWorker: (parts: Partial<WorkerParts> = {}): MailWorker => {
      const worker = createMailWorker({
        db,
        clock: watched,
        log,
        box,
        transport: smtp(),
        pollMs: 20,
        ...parts,
      });
      workers.push(worker);
      worker.start();
      return worker;
    },
    /** The row of the only mail. */
    only: async () => {
      const [row, another] = await rows();
      if (!row || another) throw new Error("there is not exactly one email");
      return row;
    },
    /** Who got the mails that the server took, sorted, once for each mail. */
    recipients: () => sink.mails.flatMap((mail) => mail.recipients).sort(),
    /** Resolves when workers have looked for mails several times more: each time they ask for the time, once or twice. */
    looked: () => {
      const before = looks;
      return until(() => looks >= before + 8);
    },
    /** Moves the clock, but not under a try that is under way: its lease would end. */
    passTime: async (ms: number) => {
      if ((await rows()).every((row) => row.leasedUntil === null)) clock.advance(ms);
    },
    get clock() {
      return clock;
    },
    get sink() {
      return sink;
    },
    /** What was logged: message and facts. */
    get lines() {
      return lines;
    },
    /** As new, for the next test. */
    reset: async () => {
      await stopAll();
      await db.delete(mails);
      [clock, sink, lines, workers] = [createTestClock(), await startSmtpSink(), [], []];
    },
    close: async () => {
      await stopAll();
      await database.close();
    },
  };
};
