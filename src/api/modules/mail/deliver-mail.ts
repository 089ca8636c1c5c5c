import type { MailTransport, OutgoingMail, SendOutcome } from "#api/adapters/outgoing-mail.ts";
import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import { buryMail, type LeasedMail, markSent, postponeMail, releaseMail } from "./queue-store.ts";
import { nextAttempt } from "./retry-schedule.ts";
import { openMail } from "./sealed-mail.ts";
import type { ServerHealth } from "./server-health.ts";

/** What one delivery works with; `stopping` ends a try and hands its mail back. */
export type DeliveryParts = {
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

/** Makes the function that tries one leased mail and notes how it went. It never rejects. */
export const createDelivery = (parts: DeliveryParts) => {
  const { db, clock, log, box, transport, health, stopping, sendMs = 45_000 } = parts;

  const deliver = async (row: LeasedMail): Promise<void> => {
    const mail = open(row);
    if (!mail) return note(() => buryMail(db, row, "the stored text cannot be opened"));
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
      log.error("a stored mail cannot be opened", { mail: row.id, error });
      return null;
    }
  };

  const attempt = async (mail: OutgoingMail): Promise<SendOutcome> => {
    try {
      return await transport.send(mail, AbortSignal.any([stopping, AbortSignal.timeout(sendMs)]));
    } catch (error) {
      log.error("sending a mail failed unexpectedly", { mail: mail.id, error });
      return { kind: "postponed", reason: "unexpected failure, see the log" };
    }
  };

  const noteOutcome = async (row: LeasedMail, outcome: SendOutcome): Promise<void> => {
    const now = clock.now();
    if (outcome.kind === "unreachable") {
      if (health.failed(now, outcome.reason))
        log.warn("mails wait: none can be sent", { reason: outcome.reason });
    } else if (health.answered()) log.info("mails can be sent again");
    if (outcome.kind === "sent") return note(() => markSent(db, row.id, now));
    const next = outcome.kind === "refused" ? null : nextAttempt(now, row);
    if (next) return note(() => postponeMail(db, row, outcome.reason, next));
    log.warn("a mail was given up", { mail: row.id, attempts: row.attempts + 1, reason: outcome.reason });
    return note(() => buryMail(db, row, outcome.reason));
  };

  /** Losing a note costs a second mail with the same Message-ID, hence the patience. */
  const note = async (write: () => Promise<void>): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write();
      } catch (error) {
        if (tries < noteTries && !stopping.aborted) await Bun.sleep(noteEveryMs);
        else return log.error("the outcome of a mail could not be noted", { error: describeError(error) });
      }
    }
  };

  return deliver;
};
