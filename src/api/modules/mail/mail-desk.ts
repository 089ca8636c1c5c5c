import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Clock } from "#api/core/clock.ts";
import type { MailDesk } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import { insertMail } from "./queue-store.ts";
import { sealMail } from "./sealed-mail.ts";

/** What the desk works with; `wake` pokes the worker. */
export type MailDeskParts = { box: SecretBox; clock: Clock; wake: () => void };

/**
 * Puts mails into the outbox within the transaction of what they are about: no mail without its token, no token without
 * its mail. The text is stored encrypted. Nobody waits for a mail server here.
 */
export const createMailDesk = ({ box, clock, wake }: MailDeskParts): MailDesk => ({
  enqueue: async (tx, mail) => {
    if (mail.link !== undefined && mail.subject.includes(mail.link)) {
      throw new Error("a mail's subject is stored as plain text and must not hold its link");
    }
    const id = newId();
    const now = clock.now();
    await insertMail(tx, {
      id,
      recipient: mail.to,
      subject: mail.subject,
      content: sealMail(box, id, mail),
      nextAttemptAt: now,
      createdAt: now,
    });
  },
  wake,
});
