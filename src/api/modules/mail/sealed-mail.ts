import type { SecretBox } from "#api/adapters/secret-box.ts";
import type { Mail } from "#api/core/context.ts";

const purpose = "mail";
const placeOf = (id: string): string => `mails:content:${id}`;

/** How the contents of mails are sealed, for whoever seals them anew. */
export const mailSealing = { purpose, placeOf };

/**
 * A mail as the outbox keeps it. The recipient is sealed along with the text, so that someone who can write to the
 * table still cannot send a waiting link to another address.
 */
export const sealMail = (box: SecretBox, id: string, mail: Mail): Uint8Array => {
  const { to, replyTo, subject, text, html, link } = mail;
  const plain = JSON.stringify({ to, replyTo, subject, text, html, link });
  return box.seal(purpose, placeOf(id), new TextEncoder().encode(plain));
};

/** The inverse of {@link sealMail}, for the same row only. Throws what the box throws. */
export const openMail = (box: SecretBox, id: string, sealed: Uint8Array): Mail => {
  const mail: unknown = JSON.parse(new TextDecoder().decode(box.open(purpose, placeOf(id), sealed)));
  if (!isMail(mail)) throw new Error("the sealed text is not a mail");
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
