import type { Clock } from "#api/core/clock.ts";
import type { Mail, MailQueue, SecretBox } from "#api/core/context.ts";
import { newId } from "#api/core/ids.ts";
import type { SettingsService } from "#api/core/settings.ts";
import { insertMail } from "./store.ts";
import { fillMail } from "./templates/layout.ts";

/** `wake` tells the worker that emails are waiting; the settings, what the site is called; `appUrl`, where its logo is. */
type MailQueueParts = {
  box: SecretBox;
  clock: Clock;
  wake: () => void;
  settings: SettingsService;
  appUrl: string;
};

/**
 * Puts emails into the outbox within the transaction of what they are about: no email without its token, no token without
 * its email. The text is stored encrypted. No one waits for a mail server here.
 */
export const createMailQueue = ({ box, clock, wake, settings, appUrl }: MailQueueParts): MailQueue => ({
  enqueue: async (tx, template) => {
    const mail = fillMail(template, settings.current.site, appUrl);
    if (mail.link !== undefined && mail.subject.includes(mail.link)) {
      throw new Error("an email's subject is stored as plain text and must not contain its link");
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

const purpose = "mail";
const placeOf = (id: string): string => `mails:content:${id}`;

/** How the contents of emails are sealed, for whoever seals them again. */
export const mailSealing = { purpose, placeOf };

/**
 * An email as the outbox keeps it. The recipient is sealed along with the text, so that someone who can write to the
 * table still cannot send a waiting link to another address.
 */
const sealMail = (box: SecretBox, id: string, mail: Mail): Uint8Array => {
  const { to, replyTo, subject, text, html, link } = mail;
  const plain = JSON.stringify({ to, replyTo, subject, text, html, link });
  return box.seal(purpose, placeOf(id), new TextEncoder().encode(plain));
};

/** The inverse of {@link sealMail}, for the same row only. Throws what the box throws. */
export const openMail = (box: SecretBox, id: string, sealed: Uint8Array): Mail => {
  const mail: unknown = JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(id), sealed)));
  if (!isMail(mail)) throw new Error("the encrypted text is not an email");
  return mail;
};

const isMail = (value: unknown): value is Mail => {
  if (Object(value) !== value) return false;
  const typeOf = (field: string) => typeof Reflect.get(Object(value), field);
  return (
    ["to", "subject", "text", "html"].every((field) => typeOf(field) === "string") &&
    ["replyTo", "link"].every((field) => ["string", "undefined"].includes(typeOf(field)))
  );
};
